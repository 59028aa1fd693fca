import {
  isRightFinding,
  type KeyUse,
  offBy,
  SIGNATURE_FINDINGS,
  TIMESTAMP_TOLERANCE_SECONDS,
} from '../../auth/index.js';
import type { KeptRefusal, LoggedRequest } from '../../request-log/index.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained } from '../guide/guide.js';
import { address, stamp } from './workbench-page.js';

const LIST = '/workbench/requests';
const HUNG_UP = 499;
const ALLOWED = `the allowed ${TIMESTAMP_TOLERANCE_SECONDS} seconds`;

export function wordOf({ status, code }: Pick<LoggedRequest, 'status' | 'code'>): string {
  return code ?? (status === HUNG_UP ? 'HUNG_UP' : 'ANSWERED');
}

export function shownCall(call: LoggedRequest) {
  const { id, requestId, at, realAt, method, path, status, code, durationMs, refused } = call;
  return {
    id,
    requestId,
    at: stamp(at),
    realAt: realAt && stamp(realAt),
    method,
    path,
    status,
    code,
    mistake: refused && mistakeOf(refused),
    isBad: status >= 400,
    durationMs,
    href: `${LIST}/${id}`,
  };
}

export function shownWholeCall(
  call: LoggedRequest,
  keys: readonly KeyUse[],
  { scopes }: WorkbenchVisitor,
) {
  const { id, route, method, keyId, subjectId, refused } = call;
  const isOurs = call.requestId === id;
  return {
    ...shownCall(call),
    ...explained('call', wordOf(call)),
    ownId: isOurs ? null : id,
    route,
    routeHref: address(LIST, { method, route }),
    key: keys.find((key) => key.id === keyId) ?? null,
    keyId,
    isAuthenticated: call.isAuthenticated,
    subjectId,
    subjectHref: subjectId && hrefOf(subjectId, scopes),
    subjectCallsHref: subjectId && address(LIST, { subject: subjectId }),
    refused: refused && {
      ...shownRefusal(refused),
      href: address('/workbench/signature', { request: id }),
    },
  };
}

/** Null when the key may not read it. */
function hrefOf(id: string, scopes: WorkbenchVisitor['scopes']): string | null {
  if (id.startsWith('jrn_') && scopes.includes('journeys:read')) return `/workbench/journeys/${id}`;
  if (id.startsWith('app_') && scopes.includes('leads:read')) {
    return address('/workbench/journeys', { id });
  }
  const isSubscription = id.startsWith('sub_') && scopes.includes('webhooks:manage');
  return isSubscription ? `/workbench/webhooks/${id}` : null;
}

export function shownRefusal(refused: KeptRefusal) {
  const { finding, canonical, bodyBytes, bodySha256, secondsAhead } = refused;
  return {
    mistake: mistakeOf(refused),
    says: sentence(SIGNATURE_FINDINGS[finding]),
    clock: isAllowed(secondsAhead) ? null : clockAtArrival(secondsAhead),
    canonical: visible(canonical),
    bodyBytes,
    bodySha256,
  };
}

/** A valid signature was refused for its timestamp. */
function mistakeOf({ finding, secondsAhead }: KeptRefusal): string {
  if (!isRightFinding(finding)) return finding;
  return secondsAhead > 0 ? 'CLOCK_AHEAD' : 'CLOCK_BEHIND';
}

/** Line feeds as `\n`, each followed by a line break. */
export function visible(canonical: string): string {
  return canonical.replaceAll('\n', '\\n\n').trimEnd();
}

export function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

export function clockAtArrival(secondsAhead: number): string {
  return isAllowed(secondsAhead)
    ? `${stood('was', secondsAhead)} when the call arrived, within ${ALLOWED}.`
    : `${stood('was', secondsAhead)} when the call arrived, more than ${ALLOWED}, so the call was refused, even with a right signature.`;
}

export function clockNow(secondsAhead: number): string {
  return isAllowed(secondsAhead)
    ? `${stood('is', secondsAhead)} now, within ${ALLOWED}. To compare with the time of arrival, open a refused call in the debugger from Requests.`
    : `${stood('is', secondsAhead)} now, more than ${ALLOWED}, so a call sent now is refused, even with a right signature.`;
}

/** In seconds since the Unix epoch. */
export function arrivalOf({ canonical, secondsAhead }: KeptRefusal): number {
  const [, , timestamp] = canonical.split('\n');
  return Number(timestamp) - secondsAhead;
}

function stood(verb: 'is' | 'was', secondsAhead: number): string {
  return secondsAhead === 0
    ? `The timestamp ${verb} equal to the server’s time`
    : `The timestamp ${verb} ${offBy(secondsAhead)} the server’s time`;
}

function isAllowed(secondsAhead: number): boolean {
  return Math.abs(secondsAhead) <= TIMESTAMP_TOLERANCE_SECONDS;
}
