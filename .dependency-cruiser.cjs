// The import rules of docs/contributors/architecture.md. Every rule says how to mend what it finds; there are no
// exemptions, and a rule that is in the way is changed by a decision record, not by a comment.

/** What each module may import beside itself; everything else of src is forbidden to it. */
const MAY_IMPORT = {
  platform: [],
  loans: [],
  'journey-steps': ['platform'],
  audit: ['platform', 'operator-flags'],
  auth: ['platform', 'loans'],
  settings: ['platform', 'loans', 'journey-steps'],
  'operator-flags': ['platform', 'loans'],
  partitions: ['platform', 'operator-flags'],
  'key-facts': ['platform', 'loans', 'settings', 'audit'],
  erasure: ['platform'],
  applicants: ['platform'],
};

const BELOW_RECORDS = Object.keys(MAY_IMPORT).filter((module) => module !== 'applicants');
for (const module of [
  'products',
  'leads',
  'matching',
  'consents',
  'webhooks',
  'lenders',
  'payments',
  'messaging',
]) {
  MAY_IMPORT[module] = BELOW_RECORDS;
}

MAY_IMPORT['lender-api'] = [...BELOW_RECORDS, 'lenders'];

const BELOW_JOURNEYS = Object.keys(MAY_IMPORT);
MAY_IMPORT.journeys = BELOW_JOURNEYS;
MAY_IMPORT['instant-loans'] = [...BELOW_JOURNEYS, 'journeys'];
MAY_IMPORT.sandbox = BELOW_JOURNEYS;
// No loan may depend on it: nothing imports it.
MAY_IMPORT.eligibility = [...BELOW_JOURNEYS, 'journeys'];

const BELOW_SCREENS = [...BELOW_JOURNEYS, 'journeys', 'instant-loans'];
MAY_IMPORT['applicant-web'] = BELOW_SCREENS;
MAY_IMPORT.workbench = [...BELOW_SCREENS, 'request-log', 'sandbox'];
MAY_IMPORT.admin = BELOW_SCREENS;
MAY_IMPORT['request-log'] = ['platform', 'auth', 'partitions'];
MAY_IMPORT['api-document'] = ['platform', 'journey-steps', 'settings', 'webhooks'];
MAY_IMPORT['docs-site'] = ['platform', 'settings', 'api-document'];
MAY_IMPORT['clock-watch'] = ['platform', 'operator-flags'];

const MEND = [
  'Imports run one way: platform and loans <- journey-steps, operator-flags <- auth, settings, audit, partitions, erasure <- key-facts <-',
  'applicants, products, leads, matching, consents, webhooks, lenders <- lender-api, payments, messaging <- journeys <- instant-loans <- applicant-web, workbench, admin; sandbox',
  'stands beside journeys, request-log above auth and below workbench. To mend: move what is shared down to a module that both may import; or declare a port',
  '(an interface with a token) below and bind it in app.module.ts; or write to an inbox table that',
  'the owner above consumes, and raise a Signal.',
].join(' ');

/** The folders of a module that only its module file and its index.ts import. */
const EDGES = '(api|applicant|background|operator|erasure|history)';

const INSIDE = [
  'Inside a module, too, imports run one way: domain <- store <- the folders of use cases <-',
  'api, applicant, background, operator, erasure, history.',
].join(' ');

const layers = Object.entries(MAY_IMPORT).map(([module, others]) => ({
  name: `${module}-imports-only-what-is-below`,
  severity: 'error',
  comment: `${module} may import ${others.join(', ') || 'no other module'}. ${MEND}`,
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: `^src/(${[module, ...others].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'every-module-has-its-rule',
      severity: 'error',
      comment:
        'A new folder in src has no place in the order yet: add it to MAY_IMPORT in ' +
        '.dependency-cruiser.cjs, after a decision record on where it stands.',
      from: {
        path: '^src/([^/]+)/',
        pathNot: `^src/(${Object.keys(MAY_IMPORT).join('|')})/`,
      },
      to: { path: '^src/', pathNot: '^src/$1/' },
    },
    {
      name: 'through-the-index-alone',
      severity: 'error',
      comment:
        'A module is imported through its index.ts (an entity file too, for a foreign key). To ' +
        'mend: import from the other module’s index.ts, and export there what you need if it is ' +
        'meant for others.',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', '\\.entity\\.ts$'],
      },
    },
    {
      name: 'the-root-through-the-index-alone',
      severity: 'error',
      comment:
        'The composition root, too, sees a module’s index.ts alone. To mend: import from the ' +
        'index.ts, and export there what is composed.',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/[^/]+/', pathNot: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'domain-imports-nothing-of-its-module',
      severity: 'error',
      comment:
        `${INSIDE} domain has rules and types only: no other folder of its module, no Nest, no ` +
        'TypeORM. To mend: declare in domain a plain type with what the rule reads, or move what ' +
        'uses a store or another service to a folder of use cases.',
      from: { path: '^src/([^/]+)/domain/' },
      to: {
        path: ['^src/$1/', '^node_modules/(@nestjs|typeorm)/'],
        pathNot: '^src/$1/domain/',
      },
    },
    {
      name: 'store-imports-no-use-case',
      severity: 'error',
      comment:
        `${INSIDE} platform has no use cases: its store stands on its tools. To mend: move the type ` +
        'or rule to domain (in a module without one: to a file directly in the module) or to the ' +
        'store itself.',
      from: { path: '^src/([^/]+)/store/', pathNot: '^src/platform/' },
      to: { path: '^src/$1/[^/]+/', pathNot: '^src/$1/(store|domain)/' },
    },
    {
      name: 'edges-are-not-imported',
      severity: 'error',
      comment:
        `${INSIDE} Nothing in the module imports one of the last six, another edge included; ` +
        'only the module file and index.ts do. To mend: move what is shared to the use case that ' +
        'owns it, or the importer to the edge.',
      from: { path: '^src/([^/]+)/([^/]+)', pathNot: '^src/[^/]+/([^/]+\\.module|index)\\.ts$' },
      to: { path: `^src/$1/${EDGES}/`, pathNot: '^src/$1/$2/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment:
        'Files that import each other cannot be read, tested or moved alone. To mend: move what ' +
        'both need into a third file. A file inside a module never imports its own index.ts.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'migrations-stand-alone',
      severity: 'error',
      comment:
        'A migration must do tomorrow what it does today, whatever becomes of the code. To mend: ' +
        'write the SQL and the values out in the migration.',
      from: { path: '^migrations/' },
      to: { path: '^(src|test|examples)/' },
    },
    {
      name: 'migrations-are-for-the-root',
      severity: 'error',
      comment:
        'Only the files directly in src know the migrations. To mend: take the migrations as a ' +
        'parameter.',
      from: { path: '^src/[^/]+/' },
      to: { path: '^migrations/' },
    },
    {
      name: 'no-tests-and-examples-in-src',
      severity: 'error',
      comment:
        'What runs in production imports neither tests nor examples. To mend: move what is needed ' +
        'into src; a spec that needs test/support belongs into test/e2e.',
      from: { path: '^src/' },
      to: { path: '^(test|examples)/' },
    },
    {
      name: 'only-declared-packages',
      severity: 'error',
      comment:
        'The service runs with `npm ci --omit=dev`. To mend: list the package under dependencies ' +
        'in package.json, or do without it.',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'imports-that-exist',
      severity: 'error',
      comment: 'The file or package is not there. To mend: correct the path (with its .js suffix).',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // What TypeScript erases is a dependency to its reader all the same.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};
