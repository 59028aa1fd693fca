import { describe, expect, it } from 'vitest';
import { loggedPath as logged, routeOf } from './logged-path.js';

const ROOT = '/api/v1/partner';
const JOURNEY = `jrn_${'a'.repeat(32)}`;
const SUBSCRIPTION = `sub_${'b'.repeat(32)}`;
const DELIVERY = `dlv_${'c'.repeat(32)}`;
const ACTION = `${ROOT}/journey/:journeyId/action`;
const LEADS = `${ROOT}/leads`;

const WORDS = new Set(['SANCTIONED', 'failed', 'ONLINE_GOLD', 'journey.kyc_done', 'webhook.test']);
const loggedPath = (target: string, pattern: string) => logged(target, pattern, WORDS);

describe('the path that the log keeps', () => {
  it('has our ids in it, and the first is what it is about', () => {
    expect(loggedPath(`${ROOT}/journey/${JOURNEY}/action`, ACTION)).toEqual({
      path: `${ROOT}/journey/${JOURNEY}/action`,
      subjectId: JOURNEY,
    });
    const redeliver = `${ROOT}/webhooks/:subscriptionId/deliveries/:deliveryId/redeliver`;
    const target = `${ROOT}/webhooks/${SUBSCRIPTION}/deliveries/${DELIVERY}/redeliver`;
    expect(loggedPath(target, redeliver)).toEqual({ path: target, subjectId: SUBSCRIPTION });
  });

  it.each(['9876543210', 'Asha%20Verma', `${JOURNEY}x`, JOURNEY.toUpperCase(), 'jrn_1', ''])(
    'names the place where %j stood for an id',
    (given) => {
      expect(loggedPath(`${ROOT}/journey/${given}/action`, ACTION)).toEqual({
        path: `${ROOT}/journey/:journeyId/action`,
        subjectId: null,
      });
    },
  );

  it.each([
    ['page=2&limit=50', 'page=2&limit=50'],
    ['status=SANCTIONED&loanType=ONLINE_GOLD', 'status=SANCTIONED&loanType=ONLINE_GOLD'],
    ['status=rajesh_kumar&status=RAJESH_KUMAR', 'status=…&status=…'],
    ['events=journey.kyc_done,rajesh.kumar', 'events=…'],
    [`journeyId=${JOURNEY}&applicationId=9876543210`, `journeyId=${JOURNEY}&applicationId=…`],
    [
      'from=2026-01-31&to=2026-02-01T10:00:00.5%2B05:30',
      'from=2026-01-31&to=2026-02-01T10:00:00.5%2B05:30',
    ],
    [`before=${DELIVERY}`, `before=${DELIVERY}`],
    [
      'after=evc_MTIuZXZ0&events=journey.kyc_done,webhook.test',
      '…&events=journey.kyc_done,webhook.test',
    ],
    ['after=evc_9876543210&events=9876543210', '…&events=…'],
    ['page=9876543210', 'page=…'],
    ['status=ABCDE1234F', 'status=…'],
    ['from=2026-01-31-Asha', 'from=…'],
    ['from=2026-01-31T9876543210&to=2026-13-01', 'from=…&to=…'],
    ['pan=ABCDE1234F', '…'],
    ['__proto__=1&constructor=2', '…&…'],
  ])('keeps of the query %j what is one of its parameter’s values', (query, kept) => {
    expect(loggedPath(`${LEADS}?${query}`, LEADS).path).toBe(`${LEADS}?${kept}`);
  });

  it('keeps twenty parameters at most', () => {
    const { path } = loggedPath(`${LEADS}?${Array(500).fill('page=1').join('&')}`, LEADS);
    expect(path).toBe(`${LEADS}?${Array(20).fill('page=1').join('&')}&…`);
  });
});

describe('the route', () => {
  it('is the same below either prefix', () => {
    expect(routeOf(ACTION)).toBe('/journey/:journeyId/action');
    expect(routeOf('/v1/partner/leads')).toBe('/leads');
  });
});
