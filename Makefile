# What a newcomer types.  Each target installs what it needs and leaves nothing running.

SECONDS_PER_TARGET := $(or $(SECONDS),60)
PREFIX ?= /usr/local
BENCH_ARGS ?=

export PATH := $(PATH):$(HOME)/.cargo/bin
# The scripts look for what is built in target/.
unexport CARGO_TARGET_DIR

.PHONY: demo test lint bench fuzz trace build install

## Start an agent on loopback, walk its interfaces over every transport and security level, stop it.
demo: build
	@target/release/portreeve-lab demo

## Everything: unit tests, cases, corpus replay, requirement trace, foreign programs.
test:
	@scripts/setup test
	cargo test --workspace --locked --quiet
	@scripts/trace.py >/dev/null
	@$(MAKE) --no-print-directory build
	tests/interop/run

## Formatting, lints, documentation, and (where cargo-deny is installed) licences and advisories.
lint:
	@scripts/setup build
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check; else echo "cargo-deny is not installed: skipped"; fi

## Our agent beside a bare echo server and snmpd, in network namespaces of its own.  Needs root.
bench: build
	@scripts/setup bench
	cargo build --release --locked --quiet -p portreeve-agent --features count-allocations --target-dir target/counting
	target/release/portreeve-lab bench $(BENCH_ARGS)

## Each fuzz target for a stated time:  make fuzz SECONDS=600
fuzz:
	@scripts/setup build
	scripts/fuzz $(SECONDS_PER_TARGET)

## Which code decides and which test proves each numbered step of the RFCs' elements of procedure.
trace:
	@scripts/trace.py

build:
	@scripts/setup build
	cargo build --release --locked --quiet -p portreeve-agent -p portreeve-cli -p portreeve-lab -p portreeve-simulate -p portreeve-poll

install: build
	install -D -m 755 target/release/portreeved $(DESTDIR)$(PREFIX)/sbin/portreeved
	install -D -m 755 target/release/portreeve $(DESTDIR)$(PREFIX)/bin/portreeve
	@# Net-SNMP's names, beside its own commands: update-alternatives or PATH decides which ones answer.
	install -d $(DESTDIR)$(PREFIX)/libexec/portreeve/classic
	for verb in get getnext bulkget walk bulkwalk set table status usm vacm translate; do \
		ln -sf ../../../bin/portreeve $(DESTDIR)$(PREFIX)/libexec/portreeve/classic/snmp$$verb; done
	install -D -m 755 target/release/portreeve-lab $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-lab
	install -D -m 755 target/release/portreeve-simulate $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-simulate
	install -D -m 755 target/release/portreeve-poll $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-poll
