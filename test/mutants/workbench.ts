import type { Mutant } from './mutant.ts';

const DOOR = ['test/e2e/workbench/door.spec.ts'];
const REQUESTS = ['test/e2e/workbench/requests.spec.ts'];
const SIGNATURE = ['test/e2e/workbench/signature.spec.ts'];
const REFUSED = ['test/e2e/workbench/refused-calls.spec.ts'];
const OTHERS = ['test/e2e/workbench/other-partners.spec.ts'];
const SESSIONS = 'src/workbench/store/workbench-sessions.repository.ts';
const ACCESS = 'src/auth/store/key-access.repository.ts';
const VISITORS = 'src/workbench/access/workbench-visitors.ts';
const EVENTS = 'src/webhooks/store/event-histories.ts';
const JOURNEYS = 'src/journeys/store/journey-history.repository.ts';
const DEBUGGER = 'src/workbench/pages/signature.controller.ts';

/** The pages for partners' engineers. */
export const WORKBENCH: readonly Mutant[] = [
  {
    id: 'workbench-link-used-twice',
    rule: 'A link to the workbench is good once',
    file: SESSIONS,
    find: 'WHERE link_hash = $1 AND opened_at IS NULL AND link_expires_at > now()',
    replace: 'WHERE link_hash = $1 AND link_expires_at > now()',
    specs: DOOR,
    only: 'a link to the workbench',
  },
  {
    id: 'workbench-link-for-six-minutes',
    rule: 'A link to the workbench is good for five minutes',
    file: SESSIONS,
    find: 'linkMinutes: 5,',
    replace: 'linkMinutes: 6,',
    specs: DOOR,
    only: 'workbench-links',
  },
  {
    id: 'workbench-session-after-its-end',
    rule: 'Who has signed out is out, with every copy of the cookie',
    file: SESSIONS,
    find: 'WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > now()',
    replace: 'WHERE token_hash = $1 AND expires_at > now()',
    specs: DOOR,
    only: 'a session of the workbench',
  },
  {
    id: 'workbench-of-a-revoked-key',
    rule: 'A session of the workbench ends with its key',
    file: ACCESS,
    find: "WHERE k.id = $1 AND k.status = 'ACTIVE' AND p.status = 'ACTIVE'",
    replace: "WHERE k.id = $1 AND p.status = 'ACTIVE'",
    specs: DOOR,
    only: 'a session of the workbench',
  },
  {
    id: 'workbench-of-a-suspended-partner',
    rule: 'A session of the workbench ends when its partner is suspended',
    file: ACCESS,
    find: "WHERE k.id = $1 AND k.status = 'ACTIVE' AND p.status = 'ACTIVE'",
    replace: "WHERE k.id = $1 AND k.status = 'ACTIVE'",
    specs: DOOR,
    only: 'a session of the workbench',
  },
  {
    id: 'workbench-without-its-scope',
    rule: 'A session of the workbench ends when its key may not open it any more',
    file: VISITORS,
    find: "return access?.scopes.includes('workbench:open') ? access : null;",
    replace: 'return access;',
    specs: DOOR,
    only: 'a session of the workbench',
  },
  {
    id: 'moves-of-another-partner',
    rule: 'A timeline’s moves are the partner’s own',
    file: JOURNEYS,
    find: 'WHERE journey_id = $1 AND partner_id = $2',
    replace: "WHERE journey_id = $1 AND partner_id <> $2 || '.'",
    specs: OTHERS,
  },
  {
    id: 'offers-and-links-of-another-partner',
    rule: 'A timeline’s offers, redirects, links and visits are the partner’s own',
    file: JOURNEYS,
    find: 'where: { journeyId, partnerId } as',
    replace: 'where: { journeyId } as',
    specs: OTHERS,
  },
  {
    id: 'delivery-of-another-partner-shown',
    rule: 'Another partner’s delivery is not shown',
    file: EVENTS,
    find: 'WHERE d.id = $3 AND d.partner_id = $1 AND d.subscription_id = $2',
    replace: "WHERE d.id = $3 AND d.partner_id <> $1 || '.' AND d.subscription_id = $2",
    specs: OTHERS,
  },
  {
    id: 'events-of-another-partner-shown',
    rule: 'A timeline’s events are the partner’s own',
    file: EVENTS,
    find: 'FROM webhook_events WHERE journey_id = $1 AND partner_id = $2',
    replace: "FROM webhook_events WHERE journey_id = $1 AND partner_id <> $2 || '.'",
    specs: OTHERS,
  },
  {
    id: 'deliveries-of-another-partner-shown',
    rule: 'A timeline’s deliveries are the partner’s own',
    file: EVENTS,
    find: 'WHERE d.event_id = ANY ($1::text[]) AND d.partner_id = $2',
    replace: "WHERE d.event_id = ANY ($1::text[]) AND d.partner_id <> $2 || '.'",
    specs: OTHERS,
  },
  {
    id: 'attempts-of-another-partner-shown',
    rule: 'A timeline’s attempts are the partner’s own',
    file: EVENTS,
    find: 'WHERE delivery_id = ANY ($1::text[]) AND partner_id = $3',
    replace: "WHERE delivery_id = ANY ($1::text[]) AND partner_id <> $3 || '.'",
    specs: OTHERS,
  },
  {
    id: 'debugger-filled-from-another-partner',
    rule: 'The debugger is filled from the partner’s own calls alone',
    file: DEBUGGER,
    find: 'const call = id === null ? null : await this.requests.find(partnerId, id);',
    replace:
      "const call = id === null ? null : await this.requests.find(partnerId && 'limited', id);",
    specs: REFUSED,
    only: 'a call that was refused',
  },
  {
    id: 'debugger-judges-the-clock-of-now',
    rule: 'The debugger holds the timestamp of a logged call against the call’s arrival',
    file: 'src/auth/signature-explainer.ts',
    find: 'now: arrivedAt ?? this.clock.epochSeconds(),',
    replace: 'now: this.clock.epochSeconds(),',
    specs: REFUSED,
    only: 'is held against its arrival',
  },
  {
    id: 'debugger-tells-of-another-partners-key',
    rule: 'The debugger says of another partner’s key what it says of one that there is not',
    file: 'src/auth/signature-explainer.ts',
    find: 'if (key?.partnerId !== partnerId)',
    replace: 'if (!key)',
    specs: SIGNATURE,
    only: 'told the API key',
  },
  {
    id: 'filter-that-filters-nothing',
    rule: 'The list of requests is filtered by its code',
    file: 'src/workbench/pages/requests.controller.ts',
    find: 'code: asked.code ?? undefined,',
    replace: 'code: undefined,',
    specs: REQUESTS,
  },
  {
    id: 'nul-in-an-address',
    rule: 'An address of the workbench with a NUL in it fails nothing',
    file: 'src/workbench/pages/workbench-page.ts',
    find: "text === '' || text.includes('\\0') ? null : text",
    replace: "text === '' ? null : text",
    specs: REQUESTS,
  },
  {
    id: 'line-breaks-as-the-form-has-them',
    rule: 'A body that was signed with line feeds is explained as such',
    file: 'src/workbench/pages/signature.controller.ts',
    find: "const withLineFeeds = body.replaceAll('\\r\\n', '\\n');",
    replace: 'const withLineFeeds = body;',
    specs: SIGNATURE,
  },
];
