import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { projectPath } from '../../platform/index.js';
import { checkConfiguration } from '../configuration-file.js';
import type { Deployment } from './fields.js';

export const SANDBOX_FILE = projectPath('config/sandbox.yaml');

export const SHIPPED = readFileSync(SANDBOX_FILE, 'utf8');

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
export function withValue(path: Step[], value: unknown): string {
  // A copy without YAML's aliases.
  const document = JSON.parse(JSON.stringify(parse(SHIPPED))) as Record<Step, unknown>;
  let holder = document;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<Step, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return stringify(document);
}

export function problemsOf(text: string, deployment = SANDBOX, variables = {}): string[] {
  const { problems } = checkConfiguration(text, deployment, variables, SANDBOX_FILE);
  return problems.map(({ field, message }) => `${field} ${message}`);
}

export function fieldsOf(text: string, deployment = SANDBOX): string[] {
  return checkConfiguration(text, deployment, {}, SANDBOX_FILE).problems.map(({ field }) => field);
}
