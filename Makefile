# What a newcomer types.  Each target installs what it needs and leaves nothing running.

SECONDS_PER_TARGET := $(or $(SECONDS),60)
PREFIX ?= /usr/local
BENCH_ARGS ?=
CLASSIC := libexec/portreeve/classic
# Less than a distribution gives its own packages.
PRIORITY := 20
ALTERNATIVES_ROOT = $(if $(DESTDIR),--root $(DESTDIR))

export PATH := $(PATH):$(HOME)/.cargo/bin
# The scripts look for what is built in target/.
unexport CARGO_TARGET_DIR

.PHONY: demo test lint bench fuzz trace manual build install alternatives

## Start an agent on loopback, walk its interfaces over UDP, TCP, SSH, TLS and DTLS, stop it.
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

## Write the manual pages and completions again, from the definitions of flags, commands and keys.
manual:
	cargo run --quiet --locked -p portreeve-manual -- docs

build:
	@scripts/setup build
	@test -e target/release/portreeved || echo "Building for the first time: some ten minutes on two cores."
	@cargo build --release --locked --quiet -p portreeve-agent -p portreeve-cli -p portreeve-lab -p portreeve-simulate -p portreeve-poll -p portreeve-broker -p portreeve-keys -p portreeve-sshd-subsystem -p portreeve-doctor

## Programs, manual pages and completions below DESTDIR and PREFIX.  Net-SNMP's names go into a directory of their own:
## put it first in PATH, or let `make alternatives` choose.  What is built is not built again: root may have no cargo.
install: $(if $(wildcard target/release/portreeved),,build)
	install -D -m 755 target/release/portreeved $(DESTDIR)$(PREFIX)/sbin/portreeved
	install -D -m 755 target/release/portreeve $(DESTDIR)$(PREFIX)/bin/portreeve
	for program in lab simulate poll broker keys doctor snmp; do \
		install -D -m 755 -t $(DESTDIR)$(PREFIX)/libexec/portreeve target/release/portreeve-$$program || exit; done
	@# What only debuggers want is five sixths of a program, and stays in target/.
	strip --strip-debug $(DESTDIR)$(PREFIX)/sbin/portreeved $(DESTDIR)$(PREFIX)/bin/portreeve $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-*
	for page in docs/man/*.[158]; do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page || exit; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/bash-completion/completions docs/completions/bash/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions docs/completions/zsh/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d docs/completions/fish/*
	@# By whose rules passwords are judged; an operator's own stay.
	test -e $(DESTDIR)/etc/pam.d/portreeve || install -D -m 644 crates/pam/portreeve.pam $(DESTDIR)/etc/pam.d/portreeve
	@# man(1) looks for pages beside the directories of PATH.
	install -d $(DESTDIR)$(PREFIX)/$(CLASSIC)/man/man1
	while read -r name page; do \
		ln -sf ../../../bin/portreeve $(DESTDIR)$(PREFIX)/$(CLASSIC)/$$name || exit; \
		ln -sf ../../../../../share/man/man1/$$page $(DESTDIR)$(PREFIX)/$(CLASSIC)/man/man1/$$name.1 || exit; \
	done < docs/man/classic-names

## Offer ours for Net-SNMP's names through update-alternatives, after `make install`.  A file that is there stays as it is:
## where Net-SNMP is installed, its commands go on answering.
alternatives:
	@command -v update-alternatives >/dev/null || { echo "update-alternatives is not installed: put $(PREFIX)/$(CLASSIC) first in PATH instead"; exit 1; }
	@while read -r name page; do \
		link=$(PREFIX)/bin/$$name; \
		case "$$(readlink $(DESTDIR)$$link || test ! -e $(DESTDIR)$$link || echo file)" in \
			""|/etc/alternatives/*) ;; \
			*) echo "$$link is another's: left alone"; continue ;; \
		esac; \
		update-alternatives $(ALTERNATIVES_ROOT) --install $$link $$name $(PREFIX)/$(CLASSIC)/$$name $(PRIORITY) \
			--slave $(PREFIX)/share/man/man1/$$name.1 $$name.1 $(PREFIX)/share/man/man1/$$page || exit; \
	done < docs/man/classic-names
