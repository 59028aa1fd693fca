import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { projectPath } from '../../platform/index.js';
import { checkConfiguration, valuesChecker } from '../configuration-file.js';
import type { Deployment } from './fields.js';

export const SANDBOX_FILE = projectPath('config/sandbox.yaml');

export const SHIPPED = readFileSync(SANDBOX_FILE, 'utf8');

// Parsing YAML and re-encoding logos takes most of the time of a check.
const SHIPPED_JSON = JSON.stringify(parse(SHIPPED), (key, value: unknown) =>
  key === 'logo' ? undefined : value,
);

/** A copy of the shipped configuration's values, without its logos and YAML's aliases. */
export function shippedValues(): Record<string, unknown> {
  return JSON.parse(SHIPPED_JSON) as Record<string, unknown>;
}

export const SANDBOX: Deployment = {
  mode: 'sandbox',
  isLoopback: true,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: ['sandbox'],
};
export const PRODUCTION: Deployment = {
  mode: 'production',
  isLoopback: false,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: ['wire'],
};

export const REAL_GATEWAYS = {
  sms: {
    gateway: 'http',
    company: 'Example Messaging Private Limited',
    http: { method: 'POST', url: 'https://sms.example/send' },
  },
  payment: {
    gateway: 'razorpay',
    razorpay: {
      keyId: 'rzp_live_000000',
      keySecret: 'secret',
      webhookSecret: 'the-webhook-secret',
    },
  },
};

export type Step = string | number;

/** Of a field's name, such as `partners[0].keys[1].name`. */
export function pathOf(field: string): Step[] {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** `undefined` removes the value. */
export function withValue(path: Step[], value: unknown): Record<string, unknown> {
  const document = shippedValues();
  let holder: Record<Step, unknown> = document;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<Step, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return document;
}

type Checker = ReturnType<typeof valuesChecker>;

const checkers = new Map<Deployment, Checker>();

/** Building the schema takes longer than using it. */
function checkerOf(deployment: Deployment): Checker {
  const checker = checkers.get(deployment) ?? valuesChecker(deployment, SANDBOX_FILE);
  checkers.set(deployment, checker);
  return checker;
}

/** @param given the text of a file, or its values */
export function check(given: string | object, deployment = SANDBOX, variables = {}) {
  return typeof given === 'string'
    ? checkConfiguration(given, deployment, variables, SANDBOX_FILE)
    : checkerOf(deployment)(given, variables);
}

export function problemsOf(given: string | object, deployment = SANDBOX, variables = {}): string[] {
  const { problems } = check(given, deployment, variables);
  return problems.map(({ field, message }) => `${field} ${message}`);
}

export function fieldsOf(given: string | object, deployment = SANDBOX): string[] {
  return check(given, deployment).problems.map(({ field }) => field);
}
