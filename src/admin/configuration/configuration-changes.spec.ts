import { expect, it } from 'vitest';
import {
  configurationChanges,
  type ConfigurationState,
  partnerNotes,
} from './configuration-changes.js';

const LENDER = { code: 'suvarna', terms: { fee: { percent: '1.5' } }, clientKeySealed: 'sealed-1' };
const PARTNER = { id: 'acme', status: 'ACTIVE', returnUrl: null, alertEmails: [] };
const KEY = { id: 'key_1', partnerId: 'acme', secretSealed: 'sealed-2', minuteLimit: 100 };
const ROWS = {
  products: [{ code: 'ONLINE_GOLD', isEnabled: true, steps: ['OFFERS', 'KYC'] }],
  lenders: [LENDER],
  partners: [PARTNER],
  keys: [KEY],
  inForce: { fileVersion: 1, brand: { slug: 'one' }, gatewaysSealed: 'sealed-3' },
  logos: new Map([['acme', 'hash-1']]),
  gateways: {
    sms: { gateway: { kind: 'twilio', accountSid: 'AC1', authToken: 'token-1' }, dlt: null },
    payment: { kind: 'razorpay', keyId: 'rzp_1', keySecret: 'secret-1' },
  },
  accounts: new Map(),
};
const STATE = stateWith({});

function stateWith(changed: object): ConfigurationState {
  return { ...ROWS, ...changed } as unknown as ConfigurationState;
}

it('names subject, path, old and new value of each field', () => {
  const after = stateWith({
    products: [{ code: 'ONLINE_GOLD', isEnabled: false, steps: ['OFFERS'] }],
    lenders: [{ ...LENDER, terms: { fee: { percent: '2' } } }],
    partners: [{ ...PARTNER, returnUrl: 'https://a.example' }, { id: 'new' }],
    keys: [{ ...KEY, minuteLimit: 200 }],
  });
  expect(configurationChanges(STATE, after)).toEqual([
    'product ONLINE_GOLD: isEnabled: true → false',
    'product ONLINE_GOLD: steps[1]: "KYC" → none',
    'lender suvarna: terms.fee.percent: "1.5" → "2"',
    'partner acme: returnUrl: none → "https://a.example"',
    'partner new: added',
    'key key_1 of partner acme: minuteLimit: 100 → 200',
  ]);
});

it('names a list that becomes empty instead of unknown, and an emptied one only by its items', () => {
  const covering = (covers: unknown) =>
    stateWith({ lenders: [{ ...LENDER, remote: { address: 'https://a.example', covers } }] });
  const changes = (before: unknown, after: unknown) =>
    configurationChanges(covering(before), covering(after));
  expect(changes(null, [])).toEqual(['lender suvarna: remote.covers: none → []']);
  expect(changes([], ['KYC'])).toEqual(['lender suvarna: remote.covers[0]: none → "KYC"']);
  expect(changes(['KYC'], [])).toEqual(['lender suvarna: remote.covers[0]: "KYC" → none']);
  expect(changes([], [])).toEqual([]);
});

it('names what changes of gateways, lenders’ accounts and logos, without their secrets', () => {
  const razorpay = { kind: 'razorpay', keyId: 'rzp_2', keySecret: 'secret-2' };
  const after = stateWith({
    inForce: { ...ROWS.inForce, fileVersion: 2, gatewaysSealed: 'sealed-4' },
    lenders: [{ ...LENDER, paymentSealed: 'sealed-5' }],
    logos: new Map(),
    gateways: {
      sms: {
        gateway: { kind: 'http', url: 'https://sms.example/?key=secret' },
        dlt: { senderId: 'RINPTH' },
      },
      payment: razorpay,
    },
    accounts: new Map([['suvarna', razorpay]]),
  });
  expect(configurationChanges(STATE, after)).toEqual([
    'configuration: fileVersion: 1 → 2',
    'configuration: sms.gateway.kind: "twilio" → "http"',
    'configuration: sms.gateway.accountSid changed (not shown)',
    'configuration: sms.gateway.authToken changed (not shown)',
    'configuration: payment.keyId: "rzp_1" → "rzp_2"',
    'configuration: payment.keySecret changed (not shown)',
    'configuration: sms.gateway.url changed (not shown)',
    'configuration: sms.dlt.senderId: none → "RINPTH"',
    'lender suvarna: payment.kind: none → "razorpay"',
    'lender suvarna: payment.keyId: none → "rzp_2"',
    'lender suvarna: payment.keySecret changed (not shown)',
    'partner acme: logo: "hash-1" → none',
  ]);
});

it('shows no field that is not on the list of its kind', () => {
  const names = Object.keys(ROWS).filter((name) => Array.isArray(ROWS[name as 'keys']));
  for (const name of [...names, 'inForce', 'gateways']) {
    const kept = ROWS[name as 'keys'];
    const add = (row: object, added: string) => ({ ...row, added });
    const stateOf = (added: string) =>
      stateWith({
        [name]: Array.isArray(kept) ? kept.map((row) => add(row, added)) : add(kept, added),
      });
    expect(configurationChanges(stateOf('word-1'), stateOf('word-2'))).toEqual([
      expect.stringMatching(/: added changed \(not shown\)$/),
    ]);
  }
});

it('of the first configuration it counts what it adds', () => {
  expect(configurationChanges(stateWith({ inForce: null }), STATE)).toEqual([
    'the first configuration: products: 1, lenders: 1, partners: 1, keys: 1',
  ]);
});

it('a partner that works and is not in the file is named, and how it is suspended', () => {
  expect(partnerNotes(STATE, [])).toEqual([
    'partner acme is not in the file; its keys issued by command still work; to suspend it, ' +
      'run: admin partners suspend acme',
  ]);
  expect(partnerNotes(STATE, [{ id: 'acme' }])).toEqual([]);
  const partners = [{ ...PARTNER, status: 'SUSPENDED' }];
  expect(partnerNotes(stateWith({ partners }), [])).toEqual([]);
});
