# Sinew: short names for the common jobs. `make help` lists them; the build itself is CMake's (CMakePresets.json).

JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX  ?= /usr/local
COMMAND := build/release/cli/sinew
RUN     ?= track humanoid run --record build/track.json
BENCH   ?= bench spd

# How long each fuzz program runs.
FUZZ_SECONDS ?= 6

MAKEFLAGS += --no-print-directory

# Warnings are errors with WERROR=1, and in CI.
ifneq ($(filter 1 true,$(WERROR) $(CI)),)
OPTIONS += -DSINEW_WERROR=ON
endif

# What the strict build is for, and what is short enough for valgrind in every run of the tests.
STRICT_TESTS   := $(basename $(notdir $(wildcard tests/test_*determinism*.c)))
VALGRIND_TESTS := $(basename $(notdir $(wildcard tests/test_dynamics.c)))

# A first run builds the lane types that suit this machine; everything else builds all of them (cmake/lanes.cmake).
ALL_LANES   := -DSINEW_LANES_BUILT=
FIRST_LANES := $(if $(wildcard build/release/CMakeCache.txt),,-DSINEW_LANES_BUILT=native)

configure = cmake --preset $(1) $(2) $(OPTIONS) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }
compile   = cmake --build --preset $(1) -j$(JOBS) $(addprefix --target ,$(2))
test_programs = mkdir -p build && { $(call configure,release,$(ALL_LANES) -DSINEW_TESTS=ON); } && $(call compile,release,$(1))
check     = ctest --preset $(1) -j$(JOBS)

.PHONY: figures all help deps deps-run deps-test deps-fuzz build run bench bench-peers web npm test-npm site previews learn-in-browser test test-web test-release test-isa \
        test-arm test-device test-fresh test-compilers check-macos test-small test-wine test-bits test-hosts test-bindings windows deb release asan tsan soak drops position-crowd pbad-control retarget-table mujoco-exports test-kill training trainings \
        policies strict valgrind \
        fuzz fuzz-smoke fuzz-long report-page first-run check bindings wheel check-format format install clean
.NOTPARALLEL:

all: build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

deps: deps-test ## install what building and testing need
deps-run:
	@scripts/deps.sh run
deps-test:
	@scripts/deps.sh test
deps-fuzz:
	@scripts/deps.sh fuzz

build: deps-run ## build the library and the command into build/release
	@mkdir -p build
	@$(call configure,release,$(ALL_LANES))
	@$(call compile,release,product)
	@scripts/web.sh report

run: deps-run ## build what this machine needs, then run the main job
	@mkdir -p build
	@$(call configure,release,$(FIRST_LANES))
	@$(call compile,release,sinew_cli)
	@scripts/web.sh report
	$(COMMAND) $(RUN) $$(test -f build/web/report.html && echo --report build/report.html)

bench: deps-run ## build, then measure speed
	@mkdir -p build
	@$(call configure,release,$(ALL_LANES))
	@$(call compile,release,sinew_cli)
	$(COMMAND) $(BENCH)

figures: build ## measure the tables of docs/benchmarks.md again and write them (docs/data/bench.json); takes minutes
	@mkdir -p build/figures
	@version=$$($(COMMAND) --version | sed -n 's/^sinew //p') && cd build/figures && \
	$(abspath $(COMMAND)) bench spd --json >spd.json && $(abspath $(COMMAND)) bench contact --json >contact.json && \
	$(abspath $(COMMAND)) bench contact --rows --json >contact_rows.json && \
	$(abspath $(COMMAND)) bench contact --stability --json >stability.json && \
	$(abspath $(COMMAND)) reproduce maba/overhead --json >overhead.json && \
	$(abspath $(COMMAND)) bench crowd --json >crowd_now.json && $(abspath $(COMMAND)) bench learn --json >learn.json && \
	for kind in spd contact contact_rows stability overhead crowd_now learn; do ../../scripts/tables.py take $$kind $$kind.json $$version; done

bench-peers: deps-run ## Sinew beside MuJoCo, DART and Bullet, which are installed for it, and by the protocols of others
	@mkdir -p build
	@$(call configure,release,$(ALL_LANES))
	@$(call compile,release,sinew_cli)
	@scripts/bench-peers.sh build/release

web: ## build the playground and the report page into build/web (`sinew view` serves it)
	@scripts/wasm.sh
	@scripts/web.sh play
	@scripts/web.sh report

learn-in-browser: web ## a whole walk learned in Chromium, with the time it takes
	@scripts/web.sh test
	@node web/bench/learn.mjs

npm: web ## build and pack the npm package into build/npm
	@$(call compile,release,sinew_cli)
	@scripts/npm.sh

test-npm: web ## the npm package in node, Vite, webpack, rollup and a script tag; read by publint and attw
	@$(call compile,release,sinew_cli)
	@scripts/web.sh test
	@cd tests/npm && npm ci --no-audit --no-fund --loglevel=error
	@node tests/npm/bundlers.mjs

previews: web ## a page with a picture for each scene that links are shared of, into build/web/share (SINEW_SITE: its address)
	@$(call compile,release,sinew_cli)
	@scripts/previews.sh

site: ## the documents as pages with search, into build/site; with live examples if `make web` was run
	@scripts/site.sh

test: deps-test test-release test-isa ## build and run every test, also under valgrind, the sanitizers and in a browser
	@$(if $(VALGRIND_TESTS),scripts/valgrind.sh build/release/tests $(VALGRIND_TESTS))
	@$(MAKE) strict test-small test-web asan

test-web: deps-run web ## the pages in a real browser
	@mkdir -p build
	@test -f build/release/CMakeCache.txt || $(call configure,release,$(ALL_LANES))
	@$(call compile,release,sinew_cli)
	@scripts/web.sh test
	@scripts/test-web.sh

test-release: deps-test ## the tests of the release build only
	@mkdir -p build
	@$(call configure,release,$(ALL_LANES) -DSINEW_TESTS=ON)
	@$(call compile,release)
	$(call check,release)
	@$(call compile,release,sinew_wheel)
	@SINEW_PYTHON_LIBRARY=$(CURDIR)/build/release/wheel/libsinew.so scripts/wheel.sh build/release/wheel --if-possible

# Tests that pass on this machine must also pass on older ones. A cap above this machine changes nothing, so it is left out.
test-isa: deps-test ## the tests of the release build where lanes matter, as on machines without AVX-512 and without AVX2
	@mkdir -p build
	@$(call configure,release,$(ALL_LANES) -DSINEW_TESTS=ON)
	@$(call compile,release)
	@if [ -r /proc/cpuinfo ] && ! grep -q avx512f /proc/cpuinfo; then echo "test-isa: v3 is all that this machine has"; \
	else SINEW_ISA=v3 $(call check,release) -L lanes; fi
	SINEW_ISA=v2 SINEW_TEST_SHORT=1 $(call check,release) -L lanes -E world_physics

asan: deps-test ## the tests under the address and undefined-behaviour sanitizers
	@mkdir -p build
	@$(call configure,asan,-DSINEW_TESTS=ON)
	@$(call compile,asan)
	$(call check,asan)

soak: deps-test ## a heap pushed at random under sanitizers; 100000 steps of 1024 copies
	@mkdir -p build
	@$(call configure,asan,-DSINEW_TESTS=ON)
	@$(call compile,asan,test_world_pushes)
	SINEW_SOAK=10000 build/asan/tests/test_world_pushes
	@$(call configure,release,$(ALL_LANES) -DSINEW_TESTS=ON)
	@$(call compile,release,test_copies)
	SINEW_SOAK=100000 build/release/tests/test_copies

drops: deps-test ## drop limp humanoids, alone, in pairs and in heaps; report energy gained per step and solves that fail
	@$(call test_programs,test_limp test_meeting test_hands test_wrestle test_carry test_nasty)
	SINEW_DROPS=1 build/release/tests/test_limp
	SINEW_DROPS=1 build/release/tests/test_meeting
	SINEW_DROPS=1 build/release/tests/test_hands
	SINEW_DROPS=1 build/release/tests/test_carry
	SINEW_DROPS=1 build/release/tests/test_wrestle
	SINEW_DROPS=1 build/release/tests/test_nasty

position-crowd: deps-test ## 4,096 humanoids under the position stepper: standing, falling, pushed, with jumping targets
	@$(call test_programs,test_position_world test_position_limits test_position_limp)
	SINEW_POSITION_COPIES=4096 build/release/tests/test_position_world
	SINEW_POSITION_COPIES=64 build/release/tests/test_position_limits
	SINEW_DROPS=1 build/release/tests/test_position_limp

mujoco-exports: build ## every model of SINEW_DATA, written as MJCF, is loaded by MuJoCo as npm has it
	scripts/mujoco-exports.sh build/release/cli/sinew build/exports

retarget-table: deps-test ## how far limbs are from a clip's after carrying over, skeleton by skeleton; pictures in build/retarget
	@mkdir -p build/retarget
	@$(call configure,release,$(ALL_LANES) -DSINEW_TESTS=ON)
	@$(call compile,release,test_retarget_table test_retarget_kinds)
	SINEW_RETARGET_PICTURES=build/retarget build/release/tests/test_retarget_table
	build/release/tests/test_retarget_kinds

pbad-control: build ## optimise swimmer and spider, five seeds each; writes docs/learning/pbad-control
	@mkdir -p docs/learning/pbad-control
	$(COMMAND) reproduce pbad/control --json --plot docs/learning/pbad-control >build/pbad-control.json
	@mv build/pbad-control.json docs/learning/pbad-control/result.json

test-kill: build ## kill a training (kill -9) at 50 random moments; it must continue from a complete checkpoint each time
	@scripts/kill-train.sh build/release/cli/sinew 50

trainings: build ## train characters with five seeds each until they reach their goal: about half an hour
	@scripts/trainings.sh build/release/cli/sinew build/trainings

policies: build ## retrain the policies that come with the project, into policies/
	@scripts/policies.sh build/release/cli/sinew

training: build ## figure 7 of maba-2020 in full, ten minutes of one core; what docs/training holds already is not trained again
	$(COMMAND) reproduce maba/training --data docs/training --plot docs/training

tsan: deps-test ## the tests of copies and threads under the thread sanitizer
	@mkdir -p build
	@cmake -S . -B build/tsan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="-fsanitize=thread -O1 -g" -DSINEW_TESTS=ON \
		-DSINEW_CLI=OFF -DSINEW_SHARED=OFF -DSINEW_ALL_LANES=OFF -DSINEW_KERNEL_OPTIMIZE=-O1 $(OPTIONS) >build/tsan.log 2>&1 \
		|| { cat build/tsan.log; exit 1; }
	@cmake --build build/tsan -j$(JOBS) --target test_pool test_copies test_copies_reset test_engine_queries
	build/tsan/tests/test_pool && build/tsan/tests/test_engine_queries && build/tsan/tests/test_copies_reset && build/tsan/tests/test_copies

strict: deps-test ## the determinism tests without fused multiply-adds
	@mkdir -p build
	@$(call configure,strict,-DSINEW_TESTS=ON)
	@$(call compile,strict,$(STRICT_TESTS))
	$(call check,strict)

test-device: deps-test ## 4,096 humanoids on an OpenCL device give the bits of the processor, in all scenes a device can have
	@mkdir -p build
	@$(call configure,strict,-DSINEW_TESTS=ON)
	@$(call compile,strict,test_device_determinism)
	SINEW_DEVICE_FULL=1 timeout 7200 build/strict/tests/test_device_determinism

test-small: ## the library as a game wants it, of one precision, without studies and files: a program has at most 1 MB
	@JOBS=$(JOBS) scripts/test-small.sh

windows: ## a zip for 64-bit Windows by mingw-w64: command, DLL, headers, policies, report page
	@JOBS=$(JOBS) OPTIONS="$(OPTIONS)" scripts/windows.sh zip

test-wine: ## the portable tests and the command of a Windows build, strict, under wine
	@JOBS=$(JOBS) OPTIONS="$(OPTIONS)" scripts/windows.sh test

test-bits: ## strict builds by gcc, clang, mingw-w64 and for ARM write the same recording and the same policy
	@JOBS=$(JOBS) scripts/test-bits.sh

test-hosts: ## a training on two hosts, in network namespaces: the bits of one process, and a host that is cut off
	@mkdir -p build
	@$(call configure,release,$(FIRST_LANES))
	@$(call compile,release,sinew_cli)
	@scripts/test-hosts.sh $(COMMAND)

test-bindings: ## the same program in C, C# and Rust gives the same bits
	@mkdir -p build
	@$(call configure,release,$(FIRST_LANES))
	@$(call compile,release,sinew_shared)
	@scripts/test-bindings.sh build/release

deb: ## Debian packages from the source archive, read by lintian, and tried on a bare Debian 12
	@scripts/deb.sh try

release: ## all that a release has, with checksums, into build/release-VERSION
	@JOBS=$(JOBS) scripts/release.sh

test-fresh: ## `make run` on a bare Debian 12 with gcc, make, cmake and git: at most 20 packages, no node, a report
	@scripts/test-fresh.sh

test-compilers: ## clang 14, 16 and 19, and gcc with plain C17, build library and command without warnings
	@JOBS=$(JOBS) scripts/test-compilers.sh

check-macos: ## clang reads all sources as for a Mac, with stand-ins for the system's headers; nothing is built
	@scripts/check-macos.sh

test-arm: ## a short set of tests on 64-bit ARM, under qemu, without fused multiply-adds; STRICT=OFF: with them
	@JOBS=$(JOBS) OPTIONS="$(OPTIONS)" scripts/test-arm.sh

valgrind: test-release ## every test program under valgrind, short runs
	@scripts/valgrind.sh build/release/tests

fuzz-smoke: deps-fuzz ## each fuzz program for 6 seconds (FUZZ_SECONDS)
	@mkdir -p build
	@cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DSINEW_FUZZ=ON -DSINEW_TESTS=OFF \
		-DSINEW_CLI=OFF -DSINEW_SHARED=OFF -DSINEW_ALL_LANES=OFF $(OPTIONS) >build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }
	@cmake --build build/fuzz -j$(JOBS) --target fuzz_programs
	scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

# How many executions fuzz-long goes to, all readers together.
FUZZ_EXECUTIONS ?= 100000000
fuzz-long: deps-fuzz ## fuzz all readers, up to 100 million executions; continues where it was stopped
	@mkdir -p build
	@cmake -S . -B build/fuzz-long -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DSINEW_FUZZ=ON -DSINEW_FUZZ_OPTIMIZE=-O2 \
		-DSINEW_TESTS=OFF -DSINEW_CLI=OFF -DSINEW_SHARED=OFF -DSINEW_ALL_LANES=OFF $(OPTIONS) >build/fuzz-long.log 2>&1 \
		|| { cat build/fuzz-long.log; exit 1; }
	@cmake --build build/fuzz-long -j$(JOBS) --target fuzz_programs
	nice -n 19 scripts/fuzz-long.sh build/fuzz-long $(FUZZ_EXECUTIONS)

fuzz: ## each fuzz program for an hour
	@$(MAKE) fuzz-smoke FUZZ_SECONDS=3600

report-page: ## rebuild the report page that comes with the source (node, npm)
	@scripts/web.sh renew

first-run: ## what a newcomer's first `make run` costs, in a clone of HEAD: fails above 100 CPU seconds
	@scripts/first-run.sh

bindings: ## write the generated files of the Python package again, after a change of the headers
	@scripts/bindings.sh

wheel: deps-run ## build a wheel and a source archive of the Python package into build/wheels, and try the wheel in a bare venv
	@scripts/wheel.sh build/wheels

check: ## format, layers, libm, counts, words, figures, kernels as OpenCL C and the report page, without building
	@scripts/check-format.sh
	@scripts/check-layers.sh
	@scripts/check-libm.sh
	@scripts/check-device.sh
	@scripts/check-counts.sh
	@scripts/check-words.sh
	@if command -v python3 >/dev/null; then scripts/tables.py check; else echo "tables: not checked without python3"; fi
	@scripts/doc-tables.sh --check
	@scripts/version.sh check
	@scripts/check-packaging.sh
	@scripts/web.sh check

check-format: ## only the format
	@scripts/check-format.sh

format: ## reformat all C sources in place
	@scripts/list-files.sh '*.c' '*.h' '*.cpp' | xargs clang-format -i

install: build ## install into PREFIX (/usr/local)
	cmake --install build/release --prefix $(PREFIX)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi # so that programs find it

clean: ## remove build/
	rm -rf build
