//! `walk` and `bulkwalk`: everything below a name.

use std::time::Instant;

use portreeve_mib::modules::snmpv2_smi::MIB_2;
use portreeve_smi::{OidBuf, OidRef};
use portreeve_snmp_manager::{
    FastWalk, Operation, Progress, Request, Response, Walk, WalkEnd, WalkError, WalkOptions,
};

use super::{Agent, cannot_write, read_name, rejection};
use crate::{debug::Token, failure::Failure, output::Output, progress::ProgressLine, verb::Verb};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, Failure> {
    let known = output.format().definitions;
    let root = match names.first() {
        Some(name) => read_name(known, name)?,
        None => MIB_2.oid(),
    };
    let end = agent.application.end.as_deref().map(|name| read_name(known, name)).transpose()?;
    agent.open()?;
    let started = Instant::now();
    let progress = ProgressLine::new(!agent.like_net_snmp);
    let mut walker = Walker { agent, output, root, printed: 0, has_found: false, progress };
    let result = walker.all(end);
    let Walker { agent, output, printed, mut progress, .. } = walker;
    progress.erase();
    agent.objects = Some(printed);
    agent.debug.tell(Token::Walk, || {
        format!("walk: {printed} variables in {:.6} s", started.elapsed().as_secs_f64())
    });
    if agent.application.print_count {
        output.line(&format!("Variables found: {printed}"));
    }
    if agent.application.print_total_time {
        output.flush().map_err(|error| cannot_write(&error))?;
        eprintln!("Total traversal time = {:.6} seconds", started.elapsed().as_secs_f64());
    }
    result
}

struct Walker<'a> {
    agent: &'a mut Agent,
    output: &'a mut Output,
    root: OidBuf,
    printed: u64,
    /// Whether any of that was a value.
    has_found: bool,
    progress: ProgressLine,
}

impl Walker<'_> {
    fn all(&mut self, end: Option<OidBuf>) -> Result<u8, Failure> {
        let application = &self.agent.application;
        let options = WalkOptions {
            max_repetitions: match self.agent.verb {
                // A walk asks about one name; as a non-repeater it has one successor.
                Verb::BulkWalk if application.non_repeaters > 0 => Some(1),
                Verb::BulkWalk => Some(application.max_repetitions),
                _ => None,
            },
            end,
            check_increasing: !application.unchecked_order,
            max_variables: match self.agent.max_variables {
                Some(0) => u64::MAX,
                Some(bound) => bound,
                None => WalkOptions::default().max_variables,
            },
        };
        if application.include_given {
            self.given()?;
        }
        if self.is_fast() { self.several_at_once(options) } else { self.in_turn(options) }
    }

    /// Times of single requests can be told only where there is one after the other.
    fn is_fast(&self) -> bool {
        let agent = &self.agent;
        agent.verb == Verb::Walk && !agent.one_by_one && !agent.application.print_each_time
    }

    fn several_at_once(&mut self, options: WalkOptions) -> Result<u8, Failure> {
        let mut walk = FastWalk::new(&self.root, options);
        let (output, printed, progress) = (&mut *self.output, &mut self.printed, &mut self.progress);
        let has_found = &mut self.has_found;
        let debug = self.agent.debug.clone();
        let mut written = Ok(());
        let result = self.agent.walk(&mut walk, |bind| {
            *printed += 1;
            *has_found |= !bind.value.is_exception();
            output.variable(bind);
            if written.is_ok() {
                written = output.pause(|| progress.erase());
            }
            progress.at(*printed, || output.name_of(bind.name));
            debug.tell(Token::Walk, || format!("walk: {printed}: {}", output.name_of(bind.name)));
        });
        written.map_err(|error| cannot_write(&error))?;
        match result? {
            Ok(end) => self.ended(end),
            Err(error) => self.failed(&error, walk.rejection()),
        }
    }

    fn in_turn(&mut self, options: WalkOptions) -> Result<u8, Failure> {
        let mut walk = Walk::new(&self.root, options);
        let mut request = Request::new(Operation::GetNext);
        loop {
            walk.next_request(&mut request);
            match self.step(&mut walk, &request)? {
                Step::More => {}
                Step::Over(exit_code) => return Ok(exit_code),
                Step::Done(end) => return self.ended(end),
            }
        }
    }

    fn ended(&mut self, end: WalkEnd) -> Result<u8, Failure> {
        if end == WalkEnd::NoSuchName {
            self.output.line("End of MIB");
        }
        // What is asked for may be an instance, below which nothing is.
        if self.printed == 0 && !self.agent.application.exclude_given && end != WalkEnd::NoSuchName {
            self.given()?;
        }
        if !self.has_found {
            self.agent.note_absence(&self.root);
        }
        Ok(0)
    }

    /// Tells why a walk has ended early, after what it has found.
    fn failed(&mut self, error: &WalkError, answer: Option<&Response>) -> Result<u8, Failure> {
        self.flush()?;
        if let (WalkError::ErrorStatus(_), Some(answer)) = (error, answer) {
            rejection::tell(answer, self.output, "Error in packet.");
            return Ok(rejection::EXIT_CODE);
        }
        self.tell(error);
        Ok(Failure::EXIT_CODE)
    }

    fn step(&mut self, walk: &mut Walk, request: &Request) -> Result<Step, Failure> {
        let asked = Instant::now();
        let response = self.agent.request(request)?;
        let (output, printed, progress) = (&mut *self.output, &mut self.printed, &mut self.progress);
        let has_found = &mut self.has_found;
        let debug = self.agent.debug.clone();
        let each_time = self.agent.application.print_each_time;
        let outcome = walk.accept(&response, |bind| {
            *printed += 1;
            *has_found |= !bind.value.is_exception();
            if each_time {
                output.text(&format!("{:.6} s: ", asked.elapsed().as_secs_f64()));
            }
            output.variable(bind);
            progress.at(*printed, || output.name_of(bind.name));
            debug.tell(Token::Walk, || format!("walk: {printed}: {}", output.name_of(bind.name)));
        });
        let step = match outcome {
            Ok(Progress::More) => Step::More,
            Ok(Progress::Done(end)) => Step::Done(end),
            Err(error) => Step::Over(self.failed(&error, Some(&response))?),
        };
        self.agent.recycle(response);
        let progress = &mut self.progress;
        self.output.pause(|| progress.erase()).map_err(|error| cannot_write(&error))?;
        Ok(step)
    }

    fn tell(&self, error: &WalkError) {
        match error {
            WalkError::NotIncreasing { previous, found } => {
                let name = |arcs| self.output.name_of(OidRef::Arcs(arcs));
                eprintln!("Error: OID not increasing: {}\n >= {}\n", name(previous), name(found));
            }
            WalkError::Endless => {
                eprintln!("Error: {error}\nhint: --max-variables 0 lifts the bound");
            }
            _ => eprintln!("Error: {error}"),
        }
    }

    /// Reads the given name itself.
    fn given(&mut self) -> Result<(), Failure> {
        let response = self.agent.request(&Request::read(Operation::Get, [&*self.root]))?;
        if !response.is_error() {
            for bind in response.var_binds().iter() {
                self.printed += 1;
                self.has_found |= !bind.value.is_exception();
                self.output.variable(&bind);
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.progress.erase();
        self.output.flush().map_err(|error| cannot_write(&error))
    }
}

enum Step {
    More,
    Done(WalkEnd),
    /// It went wrong, and why has been told.
    Over(u8),
}
