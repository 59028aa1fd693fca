import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import {
  type FieldProblem,
  missingOr,
  withoutInvisible,
  isObject,
  isRecord,
} from '../platform/index.js';
import { type Configuration, configuration, fieldOf } from './configuration/configuration.js';
import { type Deployment, rules } from './configuration/fields.js';
import { problemsBetweenParts } from './configuration/problems-between-parts.js';
import { ConfigurationError } from './refusal.js';

type Variables = Record<string, string | undefined>;

/** Has a value when there are no problems. */
interface CheckedConfiguration {
  readonly value?: Configuration;
  readonly problems: readonly FieldProblem[];
}

/**
 * @param variables for `${env:NAME}`
 * @throws ConfigurationError naming every error by its path, never a secret
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
  const { value, problems } = checkConfiguration(text, deployment, variables, file);
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return value!;
}

/** @param file logo paths are relative to it */
export function checkConfiguration(
  text: string,
  deployment: Deployment,
  variables: Variables,
  file: string,
): CheckedConfiguration {
  const { plain, problems } = parseYaml(text);
  return problems.length > 0 ? { problems } : valuesChecker(deployment, file)(plain, variables);
}

/** Checks the values of configuration files, as their YAML is parsed. */
export function valuesChecker(
  deployment: Deployment,
  file: string,
): (plain: unknown, variables: Variables) => CheckedConfiguration {
  const betweenParts = rules(
    (value: Configuration, issues) => problemsBetweenParts(value, issues, deployment),
    ({ value }) => isRecord(value),
  );
  const schema = configuration(deployment, file).check(betweenParts);
  return (plain, variables) => {
    const { given, problems: missing } = givenValues(plain, variables);
    // A file is read once: compiling its parsers takes longer than parsing it without.
    const { data: value, error } = schema.safeParse(given, { reportInput: true, jitless: true });
    const own = error?.issues.flatMap(problemsOf) ?? [];
    // A missing variable may break rules of the surrounding section.
    const others = own.filter(
      ({ field }) =>
        !missing.some(
          (unset) => unset.field.startsWith(`${field}.`) || unset.field.startsWith(`${field}[`),
        ),
    );
    return { value, problems: firstOfEachField([...missing, ...others]) };
  };
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ field: fieldOf(issue.path), message: missingOr(issue.input, issue.message) }];
  }
  return issue.keys.map((key) => ({
    field: fieldOf([...issue.path, key]),
    message: 'is not a field of this file',
  }));
}

function firstOfEachField(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.filter(
    ({ field }, index) => problems.findIndex((one) => one.field === field) === index,
  );
}

function parseYaml(text: string): { plain: unknown; problems: FieldProblem[] } {
  const lines = new LineCounter();
  // Pretty messages quote the line, which may contain a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    field: `line ${lines.linePos(pos[0]).line}`,
    message: `is not valid YAML: ${message}`,
  }));
  if (problems.length > 0) return { plain: null, problems };
  try {
    return { plain: document.toJS(), problems: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    return { plain: null, problems: [{ field: '', message: `cannot be read: ${message}` }] };
  }
}

const REFERENCE = /\$\{env:([^}]*)\}/g;
/** The template's mark for a missing text. */
const PLACE = 'FILL_IN_';
const LEFT_OUT: readonly unknown[] = [undefined, null, ''];

/**
 * Replaces `${env:NAME}` after the parsing, so that no variable is parsed as YAML. Trims texts and removes invisible
 * characters. Omits null, blank texts and texts with a missing variable.
 * @returns also missing variables, by path
 */
function givenValues(
  plain: unknown,
  variables: Variables,
): { given: unknown; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const read = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return expanded(value, path);
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}[${index}]`));
    if (!isObject(value)) return value;
    const values = Object.entries(value).map(
      ([name, item]) => [name, read(item, path === '' ? name : `${path}.${name}`)] as const,
    );
    return Object.fromEntries(values.filter(([, item]) => !LEFT_OUT.includes(item)));
  };
  const expanded = (text: string, field: string): string | undefined => {
    const missing = [...text.matchAll(REFERENCE)].filter(([, name]) => !variables[name]);
    for (const [, name] of missing) problems.push({ field, message: missingMessage(name) });
    if (missing.length > 0) return undefined;
    return withoutInvisible(text.replace(REFERENCE, (_, name: string) => variables[name]!)).trim();
  };
  return { given: read(plain, ''), problems };
}

function missingMessage(name: string): string {
  return name.startsWith(PLACE)
    ? `is not filled in: replace \${env:${name}} with your own text`
    : `needs the environment variable ${name}, which is not set`;
}
