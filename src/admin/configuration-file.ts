import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { FieldProblem } from '../platform/index.js';
import { offerDaysMistakes } from './configuration/bank-holiday-mistakes.js';
import { catalogueMistakes } from './configuration/catalogue-mistakes.js';
import { checkShape, type Configuration, type Deployment } from './configuration/configuration.js';
import { isMapping } from './configuration/fields.js';
import { gatewayMistakes, templateIdMistakes } from './configuration/gateways-of.js';
import { expandEnvironment } from './configuration/expand-environment.js';
import { lenderMistakes } from './configuration/lender-mistakes.js';
import { partnerMistakes } from './configuration/partner-mistakes.js';
import { isInside, mistake, soundItems } from './configuration/placed.js';
import {
  BRAND_LOGO_LIMITS,
  LENDER_LOGO_LIMITS,
  type LogoImage,
  type LogoLimits,
  PARTNER_LOGO_LIMITS,
  readLogo,
} from './configuration/read-logo.js';
import { unservedInFile } from './configuration/serving-mistakes.js';
import { settingsMistakes } from './configuration/settings-of.js';
import { ConfigurationError } from './refusal.js';

type Variables = Record<string, string | undefined>;

/**
 * Reads and checks a configuration file.
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
    throw new ConfigurationError(file, mistake('', `cannot be read (${code})`));
  }
  const { value, problems: inText } = checkConfiguration(text, deployment, variables);
  const problems = [
    ...inText,
    ...logoPlaces(value, inText).flatMap((place) => addLogo(file, place)),
  ];
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return value;
}

interface LogoPlace {
  readonly path: string;
  readonly part: { readonly logo?: string; logoImage?: LogoImage };
  readonly limits: LogoLimits;
}

/** Less the parts that have a mistake already. */
function logoPlaces(
  { brand, partners, lenders }: Partial<Configuration>,
  found: readonly FieldProblem[],
): LogoPlace[] {
  const isBrandSound = !found.some(({ field }) => field === 'brand' || field === 'brand.logo');
  const placesIn = (list: string, parts: readonly LogoPlace['part'][], limits: LogoLimits) =>
    found.some(({ field }) => field.startsWith(list))
      ? []
      : parts.map((part, index) => ({ path: `${list}[${index}]`, part, limits }));
  return [
    ...(isBrandSound && brand ? [{ path: 'brand', part: brand, limits: BRAND_LOGO_LIMITS }] : []),
    ...placesIn('partners', partners ?? [], PARTNER_LOGO_LIMITS),
    ...placesIn('lenders', lenders ?? [], LENDER_LOGO_LIMITS),
  ];
}

function addLogo(file: string, { path, part, limits }: LogoPlace): FieldProblem[] {
  if (part.logo === undefined) return [];
  const read = readLogo(file, part.logo, limits);
  if ('problem' in read) return mistake(`${path}.logo`, read.problem);
  part.logoImage = read.logo;
  return [];
}

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
  if (!isMapping(expanded)) {
    const problems = mistake('', 'must be a mapping');
    return { value: checkShape({}).value, problems };
  }
  const { value, problems: shape } = checkShape(expanded);
  // A missing variable leaves its reference, which may break the rules around it.
  const own = shape.filter(({ field }) => !missing.some((unset) => isInside(unset.field, field)));
  const found = [...missing, ...own];
  return {
    value,
    problems: firstOfEachField([...found, ...mistakesAcross(value, found, deployment)]),
  };
}

/**
 * Mistakes between parts; a part with a mistake of its own is left out, so that the rest is
 * checked.
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

/** Null when they are unknown: then no code is refused. */
function codesOf(products: readonly unknown[] | undefined): ReadonlySet<string> | null {
  if (!Array.isArray(products) || products.length === 0) return null;
  const codes = products.map((product: { code?: unknown } | null) => product?.code);
  const texts = codes.filter((code) => typeof code === 'string');
  return texts.length === codes.length ? new Set(texts) : null;
}

function firstOfEachField(problems: readonly FieldProblem[]): FieldProblem[] {
  const fields = new Map<string, FieldProblem>();
  for (const problem of problems) {
    if (!fields.has(problem.field)) fields.set(problem.field, problem);
  }
  return [...fields.values()];
}

function parseYaml(text: string): { plain: unknown; problems: FieldProblem[] } {
  const lines = new LineCounter();
  // Pretty messages quote the line, which may hold a secret.
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
    return { plain: null, problems: mistake('', `cannot be read: ${message}`) };
  }
}
