import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { FieldProblem } from '../platform/index.js';
import { offerDaysMistakes } from './configuration/bank-holiday-mistakes.js';
import { catalogueMistakes } from './configuration/catalogue-mistakes.js';
import { checkShape } from './configuration/check-shape.js';
import type { Configuration } from './configuration/configuration.js';
import type { Deployment } from './configuration/deployment.js';
import { gatewayMistakes } from './configuration/gateways-of.js';
import { expandEnvironment } from './configuration/expand-environment.js';
import { lenderMistakes } from './configuration/lender-mistakes.js';
import { partnerMistakes } from './configuration/partner-mistakes.js';
import { isInside, soundItems } from './configuration/placed.js';
import {
  BRAND_LOGO_LIMITS,
  LENDER_LOGO_LIMITS,
  type LogoLimits,
  PARTNER_LOGO_LIMITS,
  readLogo,
} from './configuration/read-logo.js';
import { unservedInFile } from './configuration/serving-mistakes.js';
import { settingsMistakes } from './configuration/settings-of.js';
import { templateIdMistakes } from './configuration/template-id-mistakes.js';
import { ConfigurationError } from './configuration-error.js';

type Variables = Record<string, string | undefined>;

/**
 * Reads and checks a configuration file in full.
 * @param variables where `${env:NAME}` is looked up
 * @throws ConfigurationError naming every mistake by its path, never a secret
 */
export function readConfigurationFile(
  file: string,
  deployment: Deployment,
  variables: Variables,
): Configuration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(file, [{ field: '', message: `cannot be read (${code})` }]);
  }
  const { value, problems: inText } = checkConfiguration(text, deployment, variables);
  const read = { configuration: value, file, found: inText };
  const problems = [
    ...inText,
    ...addLogo(value, file, inText),
    ...addLogos('partners', PARTNER_LOGO_LIMITS, read),
    ...addLogos('lenders', LENDER_LOGO_LIMITS, read),
  ];
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return value;
}

/** Reads the logo that the file names, unless its path is wrong in itself. */
function addLogo(
  { brand }: Configuration,
  file: string,
  found: readonly FieldProblem[],
): FieldProblem[] {
  const isSound = !found.some(({ field }) => field === 'brand' || field === 'brand.logo');
  if (!isSound || brand?.logo === undefined) return [];
  const read = readLogo(file, brand.logo, BRAND_LOGO_LIMITS);
  if ('problem' in read) return [{ field: 'brand.logo', message: read.problem }];
  brand.logoImage = read.logo;
  return [];
}

/** The same for each item of a list that may name one. */
function addLogos(
  list: 'partners' | 'lenders',
  limits: LogoLimits,
  { configuration, file, found }: ReadFile,
): FieldProblem[] {
  const items = (configuration as Partial<Configuration>)[list];
  // A file that cannot be read as YAML has none.
  if (!items || found.some(({ field }) => field === '' || field.startsWith(list))) return [];
  return items.flatMap((item, index) => {
    if (item.logo === undefined) return [];
    const read = readLogo(file, item.logo, limits);
    if ('problem' in read) return [{ field: `${list}[${index}].logo`, message: read.problem }];
    item.logoImage = read.logo;
    return [];
  });
}

interface ReadFile {
  readonly configuration: Configuration;
  readonly file: string;
  readonly found: readonly FieldProblem[];
}

/** The same on the text of a file, for callers that want the mistakes as data. */
export function checkConfiguration(
  text: string,
  deployment: Deployment,
  variables: Variables,
): { value: Configuration; problems: FieldProblem[] } {
  const yaml = parseYaml(text);
  if (yaml.problems.length > 0) {
    return { value: checkShape({}).value, problems: yaml.problems };
  }
  const { expanded, problems: missing } = expandEnvironment(yaml.plain, variables);
  if (typeof expanded !== 'object' || expanded === null || Array.isArray(expanded)) {
    const problems = [{ field: '', message: 'must be a mapping' }];
    return { value: checkShape({}).value, problems };
  }
  const { value, problems: shape } = checkShape(expanded);
  // A variable that is missing leaves its reference in place, which may break the rules of the text around it.
  const own = shape.filter(({ field }) => !missing.some((unset) => isInside(unset.field, field)));
  const found = [...missing, ...own];
  return {
    value,
    problems: firstOfEachField([...found, ...mistakesAcross(value, found, deployment)]),
  };
}

/**
 * What is wrong between parts that are each sound in themselves; parts with a mistake of their own
 * are left out, so that the rest is checked all the same.
 */
function mistakesAcross(
  value: Configuration,
  found: readonly FieldProblem[],
  deployment: Deployment,
): FieldProblem[] {
  const isSlugSound = !found.some(({ field }) => field === 'brand' || field === 'brand.slug');
  const catalogue = catalogueMistakes(soundItems(value.products, 'products', found));
  const sound = soundItems(value.products, 'products', [...found, ...catalogue]);
  const codes = codesOf(value.products);
  const known = { codes, sound: sound.map(({ section }) => section) };
  const settings = settingsMistakes(value.settings, found);
  const lenders = soundItems(value.lenders, 'lenders', found);
  const isSmsSound = !found.some(({ field }) => field.startsWith('sms'));
  const areSettingsSound = ![...found, ...settings].some(({ field }) =>
    field.startsWith('settings'),
  );
  return [
    ...settings,
    ...gatewayMistakes(value, found, deployment),
    ...(isSmsSound
      ? templateIdMistakes(value.sms, known.sound, areSettingsSound ? value.settings : undefined)
      : []),
    ...catalogue,
    ...lenderMistakes(lenders, known, deployment),
    ...unservedInFile(sound, value.lenders),
    ...(areSettingsSound ? offerDaysMistakes(lenders, value.settings?.bankHolidays ?? []) : []),
    ...partnerMistakes(soundItems(value.partners, 'partners', found), {
      productCodes: codes,
      slug: isSlugSound ? value.brand.slug : undefined,
      deployment,
    }),
  ];
}

/** The codes of the catalogue, or null when they cannot be told: then none is called unknown. */
function codesOf(products: readonly unknown[] | undefined): ReadonlySet<string> | null {
  if (!Array.isArray(products) || products.length === 0) return null;
  const codes = products.map((product: { code?: unknown } | null) => product?.code);
  const texts = codes.filter((code) => typeof code === 'string');
  return texts.length === codes.length ? new Set(texts) : null;
}

/** A variable that is missing leaves its reference in place, which then breaks a rule, too. */
function firstOfEachField(problems: readonly FieldProblem[]): FieldProblem[] {
  const fields = new Map<string, FieldProblem>();
  for (const problem of problems) {
    if (!fields.has(problem.field)) fields.set(problem.field, problem);
  }
  return [...fields.values()];
}

function parseYaml(text: string): { plain: unknown; problems: FieldProblem[] } {
  const lines = new LineCounter();
  // The parser's pretty messages quote the line, which may hold a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    field: `line ${lines.linePos(pos[0]).line}`,
    message: `is not YAML that can be read: ${message}`,
  }));
  if (problems.length > 0) return { plain: null, problems };
  try {
    return { plain: document.toJS(), problems: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    return { plain: null, problems: [{ field: '', message: `cannot be read: ${message}` }] };
  }
}
