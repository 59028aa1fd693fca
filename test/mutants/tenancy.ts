import type { Mutant } from './mutant.ts';

const SESSIONS = ['test/e2e/auth/sessions.spec.ts'];
const SUBSCRIPTIONS = ['test/e2e/webhooks/subscriptions.spec.ts'];
const HANDLING = ['test/e2e/webhooks/handling.spec.ts', 'test/e2e/auth/sessions.spec.ts'];
const LEADS = ['test/e2e/leads/leads.spec.ts'];
const REPOSITORY = 'src/webhooks/store/subscriptions.repository.ts';

/** One partner never meets what is another’s. */
export const TENANCY: readonly Mutant[] = [
  {
    id: 'journey-of-another-partner',
    rule: 'Another partner’s journey is 404',
    file: 'src/journeys/store/journeys.repository.ts',
    find: 'return journey?.partnerId === partnerId ? journey : null;',
    replace: 'return journey ?? null;',
    specs: SESSIONS,
  },
  {
    id: 'application-of-another-partner',
    rule: 'Another partner’s application is 404',
    file: 'src/leads/store/leads.repository.ts',
    find: 'WHERE id = $1 AND partner_id = $2',
    replace: 'WHERE id = $1 AND partner_id <> $2',
    specs: LEADS,
  },
  {
    id: 'leads-of-every-partner',
    rule: 'The list of leads holds the partner’s own',
    file: 'src/leads/store/leads-page-statement.ts',
    find: '`partner_id = ${partner}`,',
    replace: '`${partner}::text IS NOT NULL`,',
    specs: LEADS,
  },
  {
    id: 'subscriptions-of-every-partner',
    rule: 'The list of subscriptions holds the partner’s own',
    file: REPOSITORY,
    find: 'WHERE s.partner_id = $1 AND s.deleted_at IS NULL`;',
    replace: "WHERE s.partner_id <> $1 || '.' AND s.deleted_at IS NULL`;",
    specs: SUBSCRIPTIONS,
  },
  {
    id: 'rotation-of-another-partner',
    rule: 'Another partner’s secret is not rotated',
    file: REPOSITORY,
    find: 'WHERE partner_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
    replace: "WHERE partner_id <> $1 || '.' AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
    specs: SUBSCRIPTIONS,
  },
  {
    id: 'deletion-of-another-partner',
    rule: 'Another partner’s subscription is not deleted',
    file: REPOSITORY,
    find: '{ partnerId, id, deletedAt: IsNull() }',
    replace: '{ id, deletedAt: IsNull() }',
    specs: SUBSCRIPTIONS,
  },
  {
    id: 'enabling-of-another-partner',
    rule: 'Another partner’s subscription is not enabled',
    file: REPOSITORY,
    find: '{ partnerId, subscriptionId: id },',
    replace: '{ subscriptionId: id },',
    specs: HANDLING,
  },
  {
    id: 'test-delivery-of-another-partner',
    rule: 'Another partner’s address is not tested',
    file: REPOSITORY,
    find: 'WHERE l.partner_id = $1 AND l.subscription_id = $2 AND s.id = l.subscription_id',
    replace:
      "WHERE l.partner_id <> $1 || '.' AND l.subscription_id = $2 AND s.id = l.subscription_id",
    specs: HANDLING,
  },
  {
    id: 'subscriptions-counted-over-partners',
    rule: 'The limit of subscriptions is each partner’s own',
    file: REPOSITORY,
    find: 'where: { partnerId, deletedAt: IsNull() }',
    replace: 'where: { deletedAt: IsNull() }',
    specs: SUBSCRIPTIONS,
  },
  {
    id: 'windows-of-one-key-for-all',
    rule: 'The limits are each key’s own',
    file: 'src/auth/store/functions/admit_requests.sql',
    find: 'WHERE n.version = key.version\n      ON CONFLICT DO NOTHING',
    replace:
      'WHERE n.version = key.version AND NOT EXISTS (SELECT 1 FROM request_nonces r WHERE r.nonce = n.nonce)\n      ON CONFLICT DO NOTHING',
    specs: ['test/e2e/auth/nonces.isolated.spec.ts'],
  },
  {
    id: 'offers-of-another-journey',
    rule: 'Only the journey’s own offers can be chosen',
    file: 'src/journeys/store/offers.repository.ts',
    find: 'WHERE id = $1 AND journey_id = $2 AND partner_id = $3 AND round = $4`',
    replace: 'WHERE id = $1 AND $2 IS NOT NULL AND partner_id = $3 AND round = $4`',
    specs: ['test/e2e/journeys/selecting-offers.spec.ts'],
  },
  {
    id: 'return-of-another-journey',
    rule: 'A screen shows the journey of its own session, and no other',
    file: 'src/journeys/store/hosted-sessions.repository.ts',
    find: 'FROM hosted_sessions WHERE token_hash = $1 AND ${live(2)}`',
    replace: 'FROM hosted_sessions WHERE $1 IS NOT NULL AND ${live(2)} LIMIT 1`',
    specs: ['test/e2e/hosted-entry/links.spec.ts'],
  },
];
