# make demo: set up and show the main job. make check: set up and pass every test.
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
PKGS = ./...

.PHONY: all setup needs build driver install-driver demo check check-long release clients clients-quick test lint cross generate-check exhaustive fuzz fuzz-list fuzz-diff bench bench-drivers clean

all: build

build:
	CGO_ENABLED=0 $(GO) build -o bin/purecl ./cmd/purecl

# The OpenCL driver; see docs/driver.md. The version script hides all but the loader's symbols.
DRIVER_LDFLAGS = -s -w -extldflags=-Wl,--version-script=$(CURDIR)/icd/exports.map
PREFIX ?= /usr/local
ICD_DIR ?= /etc/OpenCL/vendors

driver:
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -ldflags '$(DRIVER_LDFLAGS)' -o bin/libpurecl.so ./icd

install-driver: driver
	install -D -m 755 bin/libpurecl.so $(DESTDIR)$(PREFIX)/lib/libpurecl.so
	install -d $(DESTDIR)$(ICD_DIR)
	echo $(PREFIX)/lib/libpurecl.so >$(DESTDIR)$(ICD_DIR)/purecl.icd

demo: build
	@sh examples/demo.sh

# System packages that the tests need, installed where they are missing.
setup:
	@sh setup.sh check

# check itself installs nothing: where packages are missing it says which and has setup install them.
needs:
	@sh setup.sh -n check || $(MAKE) --no-print-directory setup

# The time of each part is printed at the end, also if one fails.
PARTS = needs lint generate-check cross test beam-quick clients-quick
check:
	@times=""; for part in $(PARTS); do \
		start=$$(date +%s); $(MAKE) --no-print-directory $$part; status=$$?; \
		times="$$times$$(printf '%6d s  %s' $$(($$(date +%s) - start)) $$part)\n"; \
		[ $$status = 0 ] || { times="$$times          $$part failed\n"; break; }; \
	done; printf "time of each part of make check:\n$$times"; exit $$status

lint:
	@bad=$$(gofmt -l . | grep -v '^out/'); if [ -n "$$bad" ]; then echo "gofmt: $$bad"; exit 1; fi
	$(GO) vet $(PKGS)
	$(GO) run $(STATICCHECK) $(PKGS)

# Generated files must be what their generators give.
generate-check:
	$(GO) generate $(PKGS)
	@if [ -n "$$(git status --porcelain 2>/dev/null | grep -E '(^|/)z[^/]*\.go$$|(docs/builtins|THIRD_PARTY)\.md')" ]; then git status --short; echo "stale generated files: commit what go generate made"; exit 1; fi

# The core builds without cgo everywhere.
cross:
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null ./cmd/purecl || exit 1; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build . || exit 1; done; done

test:
	$(GO) test $(PKGS)

# What does not fit into check: the driver under load and its handles raced for a minute
# each, also with the race detector, all of clpeak, releases, what the pages install and
# build, and all real programs.
check-long: needs driver
	@sh setup.sh release libraries
	$(GO) test ./internal/tool/release -long -count=1 -timeout 60m -v
	$(GO) test ./internal/test/pages -long -count=1 -timeout 30m -v
	$(GO) test ./icd -long -count=1 -timeout 30m -v
	$(GO) test ./bench -run Libraries -count=1 -timeout 30m -v
	$(MAKE) --no-print-directory beam
	$(GO) test ./internal/lsp -run BesideClangd -long -count=1 -timeout 10m -v
	@if node -e 'process.exit(process.versions.node.split(".")[0] < 20)' 2>/dev/null; then $(MAKE) --no-print-directory vscode-check; else echo 'vscode-check is left out: it needs node 20 or later'; fi
	$(MAKE) --no-print-directory playground-check
	$(GO) test ./examples -run Stencil -long -count=1 -timeout 10m -v
	$(GO) run ./clients -install $(CLIENTSFLAGS)

# The command line with the playground's page in it, in bin/purecl; see internal/tool/playground. Two runs give the
# same page. playground-check tests it in headless Chromium; docs-pictures makes the pictures of the documentation.
.PHONY: playground playground-page playground-check docs-pictures
playground-page:
	@sh setup.sh -n playground || sh setup.sh playground
	$(GO) run ./internal/tool/playground

playground: playground-page
	CGO_ENABLED=0 $(GO) build -tags playground -o bin/purecl ./cmd/purecl

playground-check: playground
	$(GO) test ./internal/playground/site -tags playground -long -count=1 -timeout 30m -v

docs-pictures: playground-page
	$(GO) run ./internal/tool/pictures

# The extension for Visual Studio Code: bin/purecl.vsix, by node 20 or later and npm, with the packages of
# package-lock.json. Two runs give the same bytes. vscode-check also tests the grammar and the types.
.PHONY: vscode vscode-check vscode-packages
VSIX_EPOCH = $$(git log -1 --format=%ct 2>/dev/null || echo 0)
vscode-packages:
	@node -e 'if (process.versions.node.split(".")[0] < 20) { console.error("the extension needs node 20 or later; this is " + process.version); process.exit(1) }' && command -v npm >/dev/null || { echo "the extension needs node 20 or later and npm"; exit 1; }
	cd editors/vscode && npm ci --no-audit --no-fund

vscode: vscode-packages
	mkdir -p bin
	cd editors/vscode && SOURCE_DATE_EPOCH=$(VSIX_EPOCH) npm run --silent package

vscode-check: vscode
	cd editors/vscode && npm test
	cp bin/purecl.vsix bin/purecl.first.vsix
	cd editors/vscode && SOURCE_DATE_EPOCH=$(VSIX_EPOCH) npm run --silent package
	cmp bin/purecl.first.vsix bin/purecl.vsix && rm bin/purecl.first.vsix

# Kernels on Apache Beam, a module of its own; beam-quick is the part of it in check. Without cgo,
# as the static worker that a test builds: dependencies are compiled once for both.
.PHONY: beam beam-quick
beam:
	cd beam && export CGO_ENABLED=0 && $(GO) vet ./... && $(GO) test ./...

beam-quick:
	cd beam && CGO_ENABLED=0 $(GO) test -short .

# Real programs on the driver; clients/doc.go describes the command. clients installs the
# Debian packages that are missing and writes docs/clients.md; CLIENTSFLAGS='-run OpenCV
# -repeat 3' runs less, and more often. clients-quick runs what takes seconds and is installed.
clients: driver
	$(GO) run ./clients -install -record $(CLIENTSFLAGS)

clients-quick: driver
	$(GO) run ./clients -quick $(CLIENTSFLAGS)

# Binaries for six platforms, the driver for two, packages, a bill of materials and checksums,
# of the commit that is checked out, in dist/. Two runs give the same bytes.
release:
	@sh setup.sh release
	$(GO) run ./internal/tool/release -out dist

# All 2^32 inputs of every 32-bit conversion and of every float function of one argument;
# see internal/ir/numeric and internal/front/builtin.
exhaustive:
	$(GO) test ./internal/ir/numeric -run Exhaustive -exhaustive -timeout 24h -v
	$(GO) test ./internal/front/builtin -run 'AccuracyFloat$$' -exhaustive -timeout 24h -v

FUZZTIME ?= 10m
# Every fuzz target of the repository, one after the other; fuzz-list prints their packages and names.
FUZZ_TARGETS = grep -rHo '^func Fuzz[A-Za-z0-9]*' --include='*_test.go' . | sed 's|/[^/]*:func | |' | sort -u
fuzz-list:
	@$(FUZZ_TARGETS)

fuzz:
	@$(FUZZ_TARGETS) | while read dir name; do \
		echo "$$dir $$name"; $(GO) test $$dir -run xxx -fuzz "^$$name$$" -fuzztime $(FUZZTIME) || exit 1; done

# Random kernels on machine code and the reference executor; see internal/tool/difffuzz.
LEVEL ?= all
WORKERS ?= 1
SEED ?= 1
fuzz-diff:
	$(GO) run ./internal/tool/difffuzz -level $(LEVEL) -time $(FUZZTIME) -workers $(WORKERS) -seed $(SEED) -dir out/difffuzz

# Kernels against the same work in C; bench/doc.go says how to read it. BENCHFLAGS=-run=saxpy
# measures less, BENCHFLAGS=-bounds also what bounds checks cost (by the build tag purecl_nobounds).
bench:
	$(GO) run ./bench/compare $(BENCHFLAGS)

# The driver beside others that are installed, such as PoCL: make bench-drivers DRIVERS=libpocl.so.2
bench-drivers: driver
	/usr/bin/python3 bench/drivers/compare.py bin/libpurecl.so $(DRIVERS)

# The packages' own benchmarks.
bench-packages:
	$(GO) test -run xxx -bench . -benchmem $(PKGS)

clean:
	rm -rf bin out dist
