use proptest::prelude::*;

use super::text::width;
use super::*;
use crate::document::{Axis, Bars, By, Chart, Data, Figure, Part, Sequence};
use crate::test_support::{HOSTILE, assert_well_formed, bars, chart, paper, sequence, stack, summary, times};
use crate::unit::Unit;

const LAYOUTS: [Layout; 2] = [Layout::Wide, Layout::Narrow];

fn plots(name: &str) -> Vec<Plot> {
    vec![
        chart(name, |label, unit| Axis::linear(label, unit)).into(),
        chart(name, |label, unit| Axis::log(label, unit)).into(),
        bars(name).into(),
        stack(name).into(),
        sequence(name, 9).into(),
    ]
}

/// A text of a drawing: content, left, right and baseline.
#[derive(Debug)]
struct Text {
    content: String,
    left: f64,
    right: f64,
    y: f64,
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    Some(value.split('"').next()?.to_owned())
}

fn texts(svg: &str) -> Vec<Text> {
    let read = |part: &str| {
        let (tag, rest) = part.split_once('>')?;
        let content = rest.split(['<']).next()?.to_owned();
        let number = |name| attribute(&format!(" {tag}"), name)?.parse::<f64>().ok();
        let (x, y) = (number("x")?, number("y")?);
        // The real width is a little smaller than the estimate.
        let wide = width(&content, 11.0) * 0.95;
        let left = match attribute(&format!(" {tag}"), "text-anchor").as_deref() {
            Some("middle") => x - wide / 2.0,
            Some("end") => x - wide,
            _ => x,
        };
        Some(Text { content, left, right: left + wide, y })
    };
    svg.split("<text ").skip(1).filter_map(read).collect()
}

#[test]
fn axis_of_positive_values_begins_at_zero_although_an_interval_does_not() {
    let mut curve = Chart::new(Axis::linear("Exchanges", Unit::Count), Axis::linear("Time", Unit::Seconds));
    // The 95 % interval of these times begins below zero.
    curve.measured(By::Ours, "v2c", [(1.0, summary([0.1, 2.0, 4.5]))]);
    let svg = draw(&curve.into(), Layout::Wide, "figure-1", "times");
    let ticks: Vec<String> = texts(&svg).into_iter().map(|text| text.content).collect();
    assert!(
        ticks.iter().any(|tick| tick == "0") && !ticks.iter().any(|tick| tick.starts_with('\u{2212}')),
        "{ticks:?}"
    );
}

#[test]
fn drawings_are_well_formed_and_accessible() {
    for name in ["v2c/UDP", HOSTILE, ""] {
        for plot in plots(name) {
            for layout in LAYOUTS {
                let svg = draw(&plot, layout, "figure-1", name);
                let elements = assert_well_formed(&svg);
                assert_eq!(elements[..3], ["svg", "title", "desc"]);
                assert!(
                    svg.contains("role=\"img\" ")
                        && svg.contains("aria-labelledby=\"figure-1-title figure-1-desc\"")
                );
                assert!(!elements.contains(&"script".to_owned()));
            }
        }
    }
}

#[test]
fn texts_stay_inside_and_do_not_overlap() {
    for name in ["v2c/UDP", "a name that is far too long for any legend, and for any label beside a bar"] {
        for plot in plots(name) {
            for layout in LAYOUTS {
                let svg = draw(&plot, layout, "a", "");
                assert_texts_are_apart(&svg, layout.width());
            }
        }
    }
}

fn assert_texts_are_apart(svg: &str, width: f64) {
    let height: f64 = attribute(svg, "height").unwrap().parse().unwrap();
    let texts = texts(svg);
    assert!(texts.len() > 3);
    for (index, text) in texts.iter().enumerate() {
        assert!(text.left >= -1.5 && text.right <= width + 1.5, "{text:?} in {width}");
        assert!((8.0..=height).contains(&text.y), "{text:?} in {height}");
        for other in &texts[index + 1..] {
            let apart =
                text.right <= other.left || other.right <= text.left || (text.y - other.y).abs() >= 9.0;
            assert!(apart || text.content.is_empty() || other.content.is_empty(), "{text:?} {other:?}");
        }
    }
}

#[test]
fn sources_have_lines_of_their_own_and_the_paper_is_named() {
    let svg = draw(&chart("TLS", |label, unit| Axis::log(label, unit)).into(), Layout::Wide, "a", "");
    for class in ["ours c0", "peer c0", "ref c0", "fit c0"] {
        assert!(svg.contains(&format!("<g class=\"{class}\">")), "{class}");
    }
    for label in [">TLS<", ">TLS (snmpd)<", ">TLS (paper)<", ">TLS, computed"] {
        assert!(svg.contains(label), "{label}");
    }
    for (class, dash) in [(".peer .l", ".1 4.5"), (".ref .l", "7 5")] {
        assert!(STYLE.contains(&format!("{class}{{stroke-dasharray:{dash}")), "{class}");
    }
}

#[test]
fn names_have_different_colours_and_markers() {
    let mut plot = Chart::new(Axis::linear("x", Unit::Count), Axis::linear("y", Unit::Seconds));
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i"] {
        plot.measured(By::Ours, name, [(1.0, times(1.0))]);
    }
    let svg = draw(&plot.into(), Layout::Wide, "a", "");
    for hue in 0..8 {
        assert!(svg.contains(&format!("ours c{hue}\"")), "{hue}");
    }
    // Relative moves of the first markers: circle, square, triangle.
    let mut markers: Vec<String> = (0..look::HUES + 1)
        .map(|position| {
            let mut writer = writer::Writer::default();
            look::Looks::at(position).draw_marker(&mut writer, (0.0, 0.0));
            writer.finish()
        })
        .collect();
    assert_ne!(markers[0], markers[8], "the ninth name repeats a colour, so it needs another marker");
    markers.truncate(8);
    markers.sort();
    markers.dedup();
    assert_eq!(markers.len(), 8);
}

#[test]
fn point_shows_its_interval_and_minimum() {
    let draw_with = |values: Vec<f64>| {
        let mut plot = Chart::new(Axis::linear("x", Unit::Count), Axis::linear("y", Unit::Seconds));
        plot.measured(By::Ours, "a", [(1.0, summary(values))]);
        draw(&plot.into(), Layout::Wide, "a", "").matches("<path class=\"e\"").count()
    };
    // A bar with two ends, and a tick; without an interval, only the tick.
    assert_eq!((draw_with(vec![1.0, 2.0, 3.0]), draw_with(vec![1.0])), (4, 1));
}

#[test]
fn values_that_cannot_be_drawn_are_omitted() {
    let mut plot = Chart::new(Axis::log("x", Unit::Count), Axis::log("y", Unit::Seconds));
    plot.measured(
        By::Ours,
        "a",
        [(0.0, times(1.0)), (f64::NAN, times(1.0)), (1.0, summary([-1.0, 0.0, 1e300]))],
    );
    plot.series("b", Data::Computed(By::Ours, vec![(f64::INFINITY, 1.0), (1.0, f64::NAN), (2.0, -3.0)]));
    plot.mark_x(f64::NAN, "nan").mark_y(-1.0, "negative");
    for layout in LAYOUTS {
        let svg = draw(&plot.clone().into(), layout, "a", "");
        assert_well_formed(&svg);
        let (_, drawing) = svg.split_once("</desc>").unwrap();
        assert!(!drawing.contains("NaN") && !drawing.contains("inf\""), "{drawing}");
    }
    for empty in [Plot::Bars(Bars { rows: Vec::new(), ..bars("a") }), Plot::Sequence(sequence("a", 0))] {
        assert_well_formed(&draw(&empty, Layout::Wide, "a", ""));
    }
}

#[test]
fn size_of_a_drawing_has_a_bound() {
    let mut plot = Chart::new(Axis::linear("x", Unit::Count), Axis::linear("y", Unit::Seconds));
    for name in 0..100 {
        plot.paper(format!("series {name}"), (0..10_000).map(|x| (f64::from(x), paper(f64::from(x % 97)))));
    }
    let many_bars = Bars { rows: vec![bars("a").rows[0].clone(); 10_000], ..bars("a") };
    let mut wide = stack("a");
    wide.parts = vec!["part".to_owned(); 1000];
    wide.rows = vec![wide.rows[0].clone(); 1000];
    for plot in [plot.into(), many_bars.into(), wide.into(), Plot::Sequence(sequence("agent", 10_000))] {
        for layout in LAYOUTS {
            let svg = draw(&plot, layout, "a", "");
            assert!(svg.len() < 200_000, "{}", svg.len());
            let height: f64 = attribute(&svg, "height").unwrap().parse().unwrap();
            assert!(height < 5000.0, "{height}");
        }
    }
}

#[test]
fn sequence_shows_a_pause_and_says_how_many_messages_it_omits() {
    let svg = draw(&sequence("agent", 9).into(), Layout::Narrow, "a", "");
    assert!(svg.contains("41.0\u{a0}ms without a message"), "{svg}");
    assert_eq!(svg.matches("without a message").count(), 1);
    let svg = draw(&sequence("agent", 100).into(), Layout::Narrow, "a", "");
    assert!(svg.contains(">36 more messages<"));
    let three = Sequence {
        participants: ["manager", "relay", "agent"].map(str::to_owned).to_vec(),
        ..sequence("agent", 3)
    };
    let svg = draw(&three.into(), Layout::Wide, "a", "");
    assert_eq!(svg.matches("text class=\"b\"").count(), 3);
    assert_texts_are_apart(&svg, 760.0);
}

#[test]
fn unavailable_bar_has_its_reason_in_its_place() {
    let svg = draw(&bars("SSH").into(), Layout::Wide, "a", "");
    assert_eq!(svg.matches(">SSH: SSH<").count(), 2);
}

#[test]
fn unavailable_series_and_part_have_their_reasons_in_their_places() {
    let mut plot = chart("TLS", |label, unit| Axis::log(label, unit));
    plot.unavailable.push(("SSH (snmpd)".to_owned(), "no transport".to_owned()));
    for layout in LAYOUTS {
        let svg = draw(&plot.clone().into(), layout, "a", "");
        assert!(svg.contains(">SSH (snmpd): not available: no transport<"), "{svg}");
        assert_texts_are_apart(&svg, layout.width());
    }
    let mut plot = stack("a");
    plot.rows[0].parts[1] = Part::Unavailable("no capture".to_owned());
    let svg = draw(&plot.into(), Layout::Wide, "a", "");
    assert!(svg.contains(">not available: no capture<"), "{svg}");
}

#[test]
fn colours_have_enough_contrast_on_light_and_dark_pages() {
    for palette in [LIGHT, DARK] {
        let colour = |name: &str| {
            let (_, value) = palette.split_once(&format!("--{name}:#")).unwrap();
            let digits: String = value.chars().take_while(char::is_ascii_hexdigit).collect();
            if digits.len() == 3 { digits.chars().flat_map(|digit| [digit, digit]).collect() } else { digits }
        };
        let paper = luminance(&colour("paper"));
        let contrast = |name: &str| {
            let (one, other) = (luminance(&colour(name)), paper);
            (one.max(other) + 0.05) / (one.min(other) + 0.05)
        };
        for hue in 0..look::HUES {
            assert!(contrast(&format!("c{hue}")) >= 3.0, "c{hue}: {}", contrast(&format!("c{hue}")));
        }
        for name in ["soft", "note", "bad", "good"] {
            assert!(contrast(name) >= 4.5, "{name}: {}", contrast(name));
        }
        assert!(contrast("ink") >= 10.0);
    }
}

/// Relative luminance of a colour with six digits.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(colour.get(at..at + 2).unwrap(), 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

#[test]
fn standalone_file_has_its_own_styles() {
    let figure = Figure::new("Caption", bars("a"));
    let svg = standalone(&figure, false).unwrap();
    assert!(!svg.contains("quick run") && standalone(&figure, true).unwrap().contains(">quick run</text>"));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("--c0:#") && svg.contains(".plot"));
    assert_well_formed(&svg);
    assert_eq!(standalone(&Figure::of("Empty"), false), None);
}

#[test]
fn description_has_the_ends_of_each_series() {
    let svg = draw(&chart("TLS", |label, unit| Axis::linear(label, unit)).into(), Layout::Wide, "a", "Walk");
    let plain = svg.replace(['\u{a0}', '\u{202f}'], " ");
    assert!(plain.contains("TLS (paper): 20 ms at 1, 900 ms at 1000."), "{plain}");
    assert!(plain.contains("<title id=\"a-title\">Walk</title>"));
}

proptest! {
    #[test]
    fn labels_of_any_series_stay_apart(
        ends in prop::collection::vec((1.0..1000.0_f64, 1e-6..10.0_f64), 1..20), is_log: bool,
    ) {
        let axis = if is_log { Axis::log } else { Axis::linear };
        let mut plot = Chart::new(axis("exchanges".to_owned(), Unit::Count), axis("time".to_owned(), Unit::Seconds));
        for (index, (x, y)) in ends.into_iter().enumerate() {
            plot.measured(By::Ours, format!("series {index}"), [(1.0, times(y / 2.0)), (x, times(y))]);
        }
        let plot = Plot::from(plot);
        for layout in LAYOUTS {
            let svg = draw(&plot, layout, "a", "");
            assert_well_formed(&svg);
            assert_texts_are_apart(&svg, layout.width());
        }
    }
}
