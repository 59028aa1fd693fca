import { isRightFinding, type KeyUse, SIGNATURE_FINDINGS } from '../../auth/index.js';
import type { KeptRefusal, LoggedRequest } from '../../request-log/index.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained } from '../guide/guide.js';
import { address } from './read-query.js';
import { refusedForClock } from './shown-clock.js';
import { stamp } from './stamp.js';

const LIST = '/workbench/requests';
const HUNG_UP = 499;

/** The word of the guide on how a call ended. */
export function wordOf({ status, code }: Pick<LoggedRequest, 'status' | 'code'>): string {
  return code ?? (status === HUNG_UP ? 'HUNG_UP' : 'ANSWERED');
}

export function shownCall(call: LoggedRequest) {
  const { id, requestId, at, method, path, status, code, durationMs, refused } = call;
  return {
    id,
    requestId,
    at: stamp(at),
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

/** A call with everything that the log keeps of it. */
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

/** Where the workbench says more of what a call was about; null when the key may not read it. */
function hrefOf(id: string, scopes: WorkbenchVisitor['scopes']): string | null {
  if (id.startsWith('jrn_') && scopes.includes('journeys:read')) return `/workbench/journeys/${id}`;
  if (id.startsWith('app_') && scopes.includes('leads:read')) {
    return address('/workbench/journeys', { id });
  }
  const isSubscription = id.startsWith('sub_') && scopes.includes('webhooks:manage');
  return isSubscription ? `/workbench/webhooks/${id}` : null;
}

export function shownRefusal(refused: KeptRefusal) {
  const { finding, canonical, bodyBytes, bodySha256 } = refused;
  return {
    mistake: mistakeOf(refused),
    says: sentence(SIGNATURE_FINDINGS[finding]),
    clock: refusedForClock(refused),
    canonical: visible(canonical),
    bodyBytes,
    bodySha256,
  };
}

/** Why a signature was refused, in a word: one that is right was refused for its timestamp. */
function mistakeOf({ finding, secondsAhead }: KeptRefusal): string {
  if (!isRightFinding(finding)) return finding;
  return secondsAhead > 0 ? 'CLOCK_AHEAD' : 'CLOCK_BEHIND';
}

/** Each line feed as `\n`, and a new line for people behind it. */
export function visible(canonical: string): string {
  return canonical.replaceAll('\n', '\\n\n').trimEnd();
}

export function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
