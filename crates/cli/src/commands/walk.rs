//! `walk` and `bulkwalk`: read all variables below a name.

use std::time::Instant;

use portreeve_mib::modules::snmpv2_smi::MIB_2;
use portreeve_smi::{OidBuf, OidRef};
use portreeve_snmp_manager::{
    FastWalk, Operation, Request, Response, Walk, WalkEnd, WalkError, WalkOptions, WalkProgress,
};

use super::{Agent, parse_name, rejection, write_error};
use crate::{command_error::CommandError, debug::Token, output::Output, progress::ProgressLine, verb::Verb};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, CommandError> {
    let root = match names.first() {
        Some(name) => parse_name(output, name)?,
        None => MIB_2.oid(),
    };
    let end = agent.application.end.as_deref().map(|name| parse_name(output, name)).transpose()?;
    agent.open()?;
    let started = Instant::now();
    let progress = ProgressLine::new(!agent.like_net_snmp);
    let mut walker = Walker { agent, output, root, printed: 0, has_found: false, progress };
    let result = walker.run(end);
    let Walker { agent, output, printed, mut progress, .. } = walker;
    progress.erase();
    agent.objects = Some(printed);
    agent.debug.log(Token::Walk, || {
        format!("walk: {printed} variables in {:.6} s", started.elapsed().as_secs_f64())
    });
    if agent.application.print_count {
        output.print_line(&format!("Variables found: {printed}"));
    }
    if agent.application.print_total_time {
        output.flush().map_err(|error| write_error(&error))?;
        eprintln!("Total traversal time = {:.6} seconds", started.elapsed().as_secs_f64());
    }
    result
}

struct Walker<'a> {
    agent: &'a mut Agent,
    output: &'a mut Output,
    root: OidBuf,
    printed: u64,
    /// True if any variable had a value.
    has_found: bool,
    progress: ProgressLine,
}

impl Walker<'_> {
    fn run(&mut self, end: Option<OidBuf>) -> Result<u8, CommandError> {
        let application = &self.agent.application;
        let options = WalkOptions {
            max_repetitions: match self.agent.verb {
                // A request of a walk has one name. As a non-repeater, it returns one variable.
                Verb::BulkWalk if application.non_repeaters > 0 => Some(1),
                Verb::BulkWalk => Some(application.max_repetitions),
                _ => None,
            },
            end,
            check_increasing: !application.unchecked_order,
            max_variables: self.agent.max_variables.filter(|limit| *limit > 0),
        };
        if application.include_given {
            self.read_root()?;
        }
        if self.can_pipeline() { self.walk_pipelined(options) } else { self.walk_one_by_one(options) }
    }

    /// Returns true if several requests may be outstanding. `-CT` requires one request at a time.
    fn can_pipeline(&self) -> bool {
        let agent = &self.agent;
        agent.verb == Verb::Walk && !agent.one_by_one && !agent.application.print_each_time
    }

    fn walk_pipelined(&mut self, options: WalkOptions) -> Result<u8, CommandError> {
        let mut walk = FastWalk::new(&self.root, options);
        let (output, printed, progress) = (&mut *self.output, &mut self.printed, &mut self.progress);
        let has_found = &mut self.has_found;
        let debug = self.agent.debug.clone();
        let mut written = Ok(());
        let result = self.agent.walk(&mut walk, |bind| {
            *printed += 1;
            *has_found |= !bind.value.is_exception();
            output.print_variable(bind);
            if written.is_ok() {
                written = output.flush_if_due(|| progress.erase());
            }
            progress.update(*printed, || output.format_name(bind.name));
            debug.log(Token::Walk, || format!("walk: {printed}: {}", output.format_name(bind.name)));
        });
        written.map_err(|error| write_error(&error))?;
        match result? {
            Ok(end) => self.finish(end),
            Err(error) => self.fail(&error, walk.rejection()),
        }
    }

    fn walk_one_by_one(&mut self, options: WalkOptions) -> Result<u8, CommandError> {
        let mut walk = Walk::new(&self.root, options);
        let mut request = Request::new(Operation::GetNext);
        loop {
            walk.next_request(&mut request);
            match self.step(&mut walk, &request)? {
                Step::More => {}
                Step::Failed(exit_code) => return Ok(exit_code),
                Step::Done(end) => return self.finish(end),
            }
        }
    }

    fn finish(&mut self, end: WalkEnd) -> Result<u8, CommandError> {
        if end == WalkEnd::NoSuchName {
            self.output.print_line("End of MIB");
        }
        // The given name may be an instance.
        if self.printed == 0 && !self.agent.application.exclude_given && end != WalkEnd::NoSuchName {
            self.read_root()?;
        }
        if !self.has_found {
            self.agent.note_absence(&self.root);
        }
        Ok(0)
    }

    /// Prints the error that ended a walk, after the variables found so far.
    fn fail(&mut self, error: &WalkError, response: Option<&Response>) -> Result<u8, CommandError> {
        self.flush()?;
        if let (WalkError::ErrorStatus(_), Some(response)) = (error, response) {
            rejection::report(response, self.output, "Error in packet.");
            return Ok(rejection::EXIT_CODE);
        }
        self.print_error(error);
        Ok(CommandError::EXIT_CODE)
    }

    fn step(&mut self, walk: &mut Walk, request: &Request) -> Result<Step, CommandError> {
        let sent = Instant::now();
        let response = self.agent.request(request)?;
        let (output, printed, progress) = (&mut *self.output, &mut self.printed, &mut self.progress);
        let has_found = &mut self.has_found;
        let debug = self.agent.debug.clone();
        let each_time = self.agent.application.print_each_time;
        let outcome = walk.accept(&response, |bind| {
            *printed += 1;
            *has_found |= !bind.value.is_exception();
            if each_time {
                output.print_text(&format!("{:.6} s: ", sent.elapsed().as_secs_f64()));
            }
            output.print_variable(bind);
            progress.update(*printed, || output.format_name(bind.name));
            debug.log(Token::Walk, || format!("walk: {printed}: {}", output.format_name(bind.name)));
        });
        let step = match outcome {
            Ok(WalkProgress::More) => Step::More,
            Ok(WalkProgress::Done(end)) => Step::Done(end),
            Err(error) => Step::Failed(self.fail(&error, Some(&response))?),
        };
        self.agent.recycle(response);
        let progress = &mut self.progress;
        self.output.flush_if_due(|| progress.erase()).map_err(|error| write_error(&error))?;
        Ok(step)
    }

    fn print_error(&self, error: &WalkError) {
        match error {
            WalkError::NotIncreasing { previous, found } => {
                let name = |arcs| self.output.format_name(OidRef::Arcs(arcs));
                eprintln!("Error: OID not increasing: {}\n >= {}\n", name(previous), name(found));
            }
            _ => eprintln!("Error: {error}"),
        }
    }

    /// Reads and prints the given name itself.
    fn read_root(&mut self) -> Result<(), CommandError> {
        let response = self.agent.request(&Request::read(Operation::Get, [&*self.root]))?;
        if !response.is_error() {
            for bind in response.var_binds().iter() {
                self.printed += 1;
                self.has_found |= !bind.value.is_exception();
                self.output.print_variable(&bind);
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), CommandError> {
        self.progress.erase();
        self.output.flush().map_err(|error| write_error(&error))
    }
}

enum Step {
    More,
    Done(WalkEnd),
    /// The walk failed; the error has been printed.
    Failed(u8),
}
