# The commands for a new developer. Each target installs what it needs and leaves nothing running.

SECONDS_PER_TARGET := $(or $(SECONDS),60)
PREFIX ?= /usr/local
BENCH_ARGS ?=
CLASSIC := libexec/portreeve/classic
# The programs in libexec/portreeve, without `portreeve-`. Those in TOOLS are names of the program
# portreeve-tools.
LIBEXEC_PROGRAMS := lab tools snmp yang
TOOLS := broker doctor keys poll simulate trapd
# The packages of all programs, and the programs that the demo starts.
PACKAGES := agent cli lab tools sshd-subsystem yang-compiler
DEMO_PROGRAMS := portreeved portreeve portreeve-demo portreeve-tools portreeve-yang
# The directory of the built programs.
PROGRAMS ?= target/release
# The compiled YANG modules that are shipped, and the directory of their texts.
SCHEMA = $(PROGRAMS)/shipped.schema
YANG_MODULES := target/yang-modules
PAGES := $(wildcard docs/man/*.[158])
BASH_COMPLETIONS := $(wildcard docs/completions/bash/*)
ZSH_COMPLETIONS := $(wildcard docs/completions/zsh/*)
FISH_COMPLETIONS := $(wildcard docs/completions/fish/*)
ADVISORIES := https://github.com/rustsec/advisory-db
# Lower than the priority that distributions give their own packages.
PRIORITY := 20
ALTERNATIVES_ROOT = $(if $(DESTDIR),--root $(DESTDIR))

OWNER := $(shell stat -c %U .)
as_owner = $(if $(filter $(OWNER),$(shell id -un)),sh -c '$(1)',su $(OWNER) -s /bin/sh -c '$(1)')

export PATH := $(PATH):$(HOME)/.cargo/bin
# The scripts expect the programs in target/.
unexport CARGO_TARGET_DIR

.PHONY: demo test test-long test-programs check lint lint-text lint-code advisories bench fuzz trace manual build complete current install alternatives uninstall

## Start an agent, walk its interfaces, edit it by NETCONF, receive a linkDown over SSH, stop it.
## Its programs are debug builds, as for `make test`, because they are built soonest. With
## `--workspace`, their libraries have the same features as in tests and are not compiled twice.
demo:
	@echo "[1/4] looking for a compiler and the libraries"
	@scripts/setup build
	@scripts/progress.py "[2/4] building the programs of the demo" build --workspace $(DEMO_PROGRAMS:%=--bin %)
	@echo "[3/4] compiling the YANG modules"
	@$(MAKE) --no-print-directory complete PROGRAMS=target/debug
	@echo "[4/4] starting the agent"
	@target/debug/portreeve-demo

## Everything: unit tests, cases, corpus replay, requirement trace, foreign programs. Ours are
## debug builds, which check for overflows and are built sooner. BESIDE is another target to make
## while the tests of the crates run, because they wait most of the time.
test: test-programs
	@scripts/test-workspace $(BESIDE:%=--beside "$(MAKE) --no-print-directory %")
	@scripts/trace.py >/dev/null
	PORTREEVE_PROGRAMS=target/debug tests/interop/run

## Build and fetch all that `make test` runs. Without some fetched packages, the tests that need
## them are skipped.
test-programs:
	@scripts/setup test
	@tests/interop/fetch & scripts/test-workspace --build; status=$$?; wait; exit $$status
	@$(MAKE) --no-print-directory complete PROGRAMS=target/debug

## What to run between two edits: formatting and language, then clippy and the unit tests of the
## crates that differ from BASE, by default the last commit.
check:
	@cargo fmt --all --check
	@scripts/lint/language.py
	@scripts/check-changed $(BASE)

## Measurements that take minutes: memory before authentication, delays and logins during attacks.
test-long: build
	@scripts/setup test-long
	@tests/interop/fetch || true
	tests/long/run

## Language, tiers, licenses, formatting, clippy and documentation.
lint: lint-text lint-code

lint-text:
	@scripts/setup build
	@python3 -B scripts/lint/tests.py --quiet
	@scripts/lint/language.py
	@scripts/lint/tiers.py
	@scripts/lint/references.py
	@scripts/lint/dependencies.py
	@if command -v cargo-deny >/dev/null; then $(MAKE) --no-print-directory advisories; \
		else echo "advisories: not checked, because cargo-deny is not installed: see \`make advisories\`"; fi
	cargo fmt --all --check

lint-code:
	@scripts/setup build
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

## Compare the crates with the database of security advisories, if it can be reached.
advisories:
	@if ! GIT_TERMINAL_PROMPT=0 timeout 20 git ls-remote -q $(ADVISORIES) HEAD >/dev/null 2>&1; then \
		echo "advisories: $(ADVISORIES) cannot be reached: skipped"; \
	else \
		command -v cargo-deny >/dev/null || cargo install cargo-deny --version 0.20.2 --locked --no-default-features || exit; \
		cargo deny --locked --all-features check advisories; \
	fi

## Measure the agent beside a bare echo server and snmpd, in its own network namespaces. Needs root.
bench: build
	@scripts/setup bench
	cargo build --release --locked --quiet -p portreeve-agent --features count-allocations --target-dir target/counting
	cargo build --release --locked --quiet -p portreeve-lab --features compare-codecs
	target/release/portreeve-lab bench $(BENCH_ARGS)

## Run each fuzz target for a stated time: make fuzz SECONDS=600
fuzz:
	@scripts/setup build
	scripts/fuzz $(SECONDS_PER_TARGET)

## Show the code and the test of each numbered step of the RFCs' elements of procedure.
trace:
	@scripts/trace.py

## Generate the manual pages and completions from the definitions of flags, commands and keys.
manual:
	cargo run --quiet --locked -p portreeve-manual -- docs

## The optimized programs, in target/release.
build:
	@scripts/setup build
	@scripts/progress.py "building the optimized programs" build --release $(PACKAGES:%=-p portreeve-%)
	@$(MAKE) --no-print-directory complete
	@git describe --always --dirty --abbrev=12 >target/release/commit

## The programs to install: those of the sources as they are, built by the owner of the checkout,
## because root may have no cargo. Without cargo, the programs that exist, and their commit.
current:
ifeq ($(PROGRAMS),target/release)
	@if $(call as_owner,command -v cargo) >/dev/null; then $(call as_owner,$(MAKE) --no-print-directory build); \
	elif test -e $(PROGRAMS)/commit; then echo "There is no cargo: installing the programs that were built from commit $$(cat $(PROGRAMS)/commit)."; \
	else echo "There is no cargo, and the programs are not built: run \`make build\` first."; exit 1; fi
endif

## What cargo does not make: the names of portreeve-tools, and the file with the compiled YANG
## modules that are shipped.
complete:
	@for program in $(TOOLS); do ln -sf portreeve-tools $(PROGRAMS)/portreeve-$$program || exit; done
	@if scripts/fetch-yang-modules; then \
		$(PROGRAMS)/portreeve-yang compile --shipped --path $(YANG_MODULES) --out $(SCHEMA); \
	else \
		rm -f $(SCHEMA); \
		echo "The YANG modules cannot be fetched, so the schema file is not built. Run the same command again when PyPI can be reached."; fi

## Install programs, manual pages and completions below DESTDIR and PREFIX. The Net-SNMP command
## names go into a directory of their own: put it first in PATH, or run `make alternatives`.
install: current
	install -D -m 755 $(PROGRAMS)/portreeved $(DESTDIR)$(PREFIX)/sbin/portreeved
	install -D -m 755 $(PROGRAMS)/portreeve $(DESTDIR)$(PREFIX)/bin/portreeve
	for program in $(LIBEXEC_PROGRAMS); do \
		install -D -m 755 -t $(DESTDIR)$(PREFIX)/libexec/portreeve $(PROGRAMS)/portreeve-$$program || exit; done
	@# Symbols are useful in target/ only.
	strip $(DESTDIR)$(PREFIX)/sbin/portreeved $(DESTDIR)$(PREFIX)/bin/portreeve $(LIBEXEC_PROGRAMS:%=$(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-%)
	for tool in $(TOOLS); do \
		ln -f $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-tools $(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-$$tool || exit; done
	@# Without the network, the schema file does not exist.
	test ! -e $(SCHEMA) || install -D -m 644 -t $(DESTDIR)$(PREFIX)/libexec/portreeve $(SCHEMA)
	for module in $(wildcard $(YANG_MODULES)/*.yang) crates/yang-compiler/examples/stair.yang; do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/portreeve/yang $$module || exit; done
	for page in $(PAGES); do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page || exit; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(BASH_COMPLETIONS)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(ZSH_COMPLETIONS)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d $(FISH_COMPLETIONS)
	@# The PAM service for passwords; an existing file is kept.
	test -e $(DESTDIR)/etc/pam.d/portreeve || install -D -m 644 crates/pam/portreeve.pam $(DESTDIR)/etc/pam.d/portreeve
	@# man(1) looks for pages beside the directories of PATH.
	install -d $(DESTDIR)$(PREFIX)/$(CLASSIC)/man/man1
	while read -r name page; do \
		ln -sf ../../../bin/portreeve $(DESTDIR)$(PREFIX)/$(CLASSIC)/$$name || exit; \
		ln -sf ../../../../../share/man/man1/$$page $(DESTDIR)$(PREFIX)/$(CLASSIC)/man/man1/$$name.1 || exit; \
	done < docs/man/classic-names

## Register the Net-SNMP command names with update-alternatives, after `make install`. Existing
## files are kept: if Net-SNMP is installed, its commands stay the default.
alternatives:
	@command -v update-alternatives >/dev/null || { echo "update-alternatives is not installed: put $(PREFIX)/$(CLASSIC) first in PATH instead"; exit 1; }
	@while read -r name page; do \
		link=$(PREFIX)/bin/$$name; \
		case "$$(readlink $(DESTDIR)$$link || test ! -e $(DESTDIR)$$link || echo file)" in \
			""|/etc/alternatives/*) ;; \
			*) echo "$$link belongs to another package: not changed"; continue ;; \
		esac; \
		update-alternatives $(ALTERNATIVES_ROOT) --install $$link $$name $(PREFIX)/$(CLASSIC)/$$name $(PRIORITY) \
			--slave $(PREFIX)/share/man/man1/$$name.1 $$name.1 $(PREFIX)/share/man/man1/$$page || exit; \
	done < docs/man/classic-names

## Remove what `make install` and `make alternatives` of the same version have put below DESTDIR and
## PREFIX. A PAM service that has been changed stays, and so do directories that others share.
uninstall:
	@command -v update-alternatives >/dev/null || exit 0; while read -r name page; do \
		program=$(PREFIX)/$(CLASSIC)/$$name; \
		if update-alternatives $(ALTERNATIVES_ROOT) --list $$name 2>/dev/null | grep -qFx $$program; then \
			update-alternatives $(ALTERNATIVES_ROOT) --remove $$name $$program || exit; fi; \
	done < docs/man/classic-names
	rm -f $(DESTDIR)$(PREFIX)/sbin/portreeved $(DESTDIR)$(PREFIX)/bin/portreeve
	rm -f $(patsubst %,$(DESTDIR)$(PREFIX)/libexec/portreeve/portreeve-%,$(LIBEXEC_PROGRAMS) $(TOOLS))
	rm -f $(DESTDIR)$(PREFIX)/libexec/portreeve/$(notdir $(SCHEMA))
	rm -f $(patsubst %,$(DESTDIR)$(PREFIX)/share/portreeve/yang/%,$(notdir $(wildcard $(YANG_MODULES)/*.yang)) stair.yang)
	rm -f $(foreach page,$(PAGES),$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(BASH_COMPLETIONS:docs/completions/bash/%=$(DESTDIR)$(PREFIX)/share/bash-completion/completions/%)
	rm -f $(ZSH_COMPLETIONS:docs/completions/zsh/%=$(DESTDIR)$(PREFIX)/share/zsh/site-functions/%)
	rm -f $(FISH_COMPLETIONS:docs/completions/fish/%=$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/%)
	@while read -r name page; do \
		rm -f $(DESTDIR)$(PREFIX)/$(CLASSIC)/$$name $(DESTDIR)$(PREFIX)/$(CLASSIC)/man/man1/$$name.1 || exit; \
	done < docs/man/classic-names
	@for directory in $(CLASSIC)/man/man1 $(CLASSIC)/man $(CLASSIC) libexec/portreeve share/portreeve/yang share/portreeve; do \
		test ! -d $(DESTDIR)$(PREFIX)/$$directory || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(PREFIX)/$$directory; done
	@pam=$(DESTDIR)/etc/pam.d/portreeve; if cmp -s crates/pam/portreeve.pam $$pam; then rm -f $$pam; \
		elif test -e $$pam; then echo "$$pam has been changed: not removed"; fi
