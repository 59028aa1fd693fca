import type { KeyUse } from '../../auth/index.js';
import { type Fault, Page, parseIsoInstant, type ScreenModel } from '../../platform/index.js';
import type { NoVisitor, WorkbenchVisitor } from '../access/workbench-visitors.js';
import { WORKBENCH_LIMITS } from '../store/workbench-sessions.repository.js';

export interface Stamp {
  readonly iso: string;
  readonly text: string;
}

const INDIA_MS = 19_800_000;
const numbers = new Intl.NumberFormat('en-IN');

/** `2026-11-21 05:30:00.123 UTC` */
export function stamp(at: Date): Stamp {
  const iso = at.toISOString();
  return { iso, text: `${iso.slice(0, -1).replace('T', ' ')} UTC` };
}

/** For a `datetime-local` field, in India's time. */
export function dateTimeField(at: Date): string {
  return new Date(at.getTime() + INDIA_MS).toISOString().slice(0, 16);
}

/** `datetime-local` sends no offset; the page says that it is India's time. */
export function readDateTimeField(text: string): Date | null {
  return parseIsoInstant(text.trim(), { timeOffset: '+05:30' });
}

export function grouped(number: number): string {
  return numbers.format(number);
}

export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}

type WorkbenchSection =
  | 'overview'
  | 'journeys'
  | 'webhooks'
  | 'requests'
  | 'signature'
  | 'sandbox'
  | 'guide';

type WorkbenchModel = Omit<ScreenModel, 'layout' | 'sheets' | 'speculationRules' | 'title'> & {
  readonly title: string;
};

const FRAME = { layout: 'workbench', sheets: ['workbench.css'] };
/** The page refreshes while it is open. */
export const KEPT_CURRENT = { scripts: ['workbench.js'] };
const SPECULATION_RULES = 'workbench-links.json';

/** Its English texts are in views/workbench/<name>.hbs. */
export function workbenchPage(
  visitor: WorkbenchVisitor,
  section: WorkbenchSection,
  name: string,
  model: WorkbenchModel,
): Page {
  return new Page(`workbench/${name}`, {
    ...FRAME,
    speculationRules: SPECULATION_RULES,
    ...model,
    section,
    visitor: shown(visitor),
  });
}

export function signedOutPage(name: string, model: WorkbenchModel, status = 200): Page {
  return new Page(`workbench/${name}`, { ...FRAME, limits: WORKBENCH_LIMITS, ...model }, status);
}

export function closedPage(why: NoVisitor, hasDemonstration: boolean): Page {
  const isOver = why === 'OVER';
  const title = isOver ? 'Your session is over' : 'The workbench';
  return signedOutPage(
    'closed',
    { title, isOver, hasDemonstration: isOver && hasDemonstration },
    401,
  );
}

export function faultPage(fault: Fault, requestId: string, visitor: WorkbenchVisitor | null): Page {
  const { code, message, status } = fault;
  const model = { title: message, code, message, requestId };
  return new Page(
    'workbench/fault',
    { ...FRAME, ...model, ...(visitor && { visitor: shown(visitor) }) },
    status,
  );
}

function shown({ partnerName, name, hint, scopes, expiresAt }: WorkbenchVisitor) {
  return {
    partnerName,
    keyName: name,
    keyHint: hint,
    mayReadLeads: scopes.includes('leads:read'),
    mayManageWebhooks: scopes.includes('webhooks:manage'),
    expiresAt: expiresAt && stamp(expiresAt),
  };
}

/** Null when absent or empty, or with a NUL, which PostgreSQL text cannot contain. */
export function parameter(query: Record<string, unknown>, name: string): string | null {
  const [first]: unknown[] = [query[name]].flat();
  const text = typeof first === 'string' ? first.trim() : '';
  return text === '' || text.includes('\0') ? null : text;
}

export function choice<Choice extends string>(
  query: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const given = parameter(query, name);
  return choices.find((one) => one === given) ?? null;
}

export function address(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function options(values: readonly string[], chosen: string | null) {
  return values.map((value) => ({ value, isChosen: value === chosen }));
}

export function keyOptions(keys: readonly KeyUse[], chosen: string | null) {
  return keys.map(({ id, name, hint }) => ({
    value: id,
    title: `${name} (${hint})`,
    isChosen: id === chosen,
  }));
}
