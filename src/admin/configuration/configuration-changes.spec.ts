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

it('shows no secret, sealed or not', () => {
  const after = JSON.parse(JSON.stringify(STATE).replaceAll('sealed-', 'other-')) as typeof STATE;
  const lines = configurationChanges(STATE, after);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/Sealed changed \(not shown\)$/);
});

it('of the first configuration it says just that', () => {
  expect(configurationChanges(stateWith({ inForce: null }), STATE)).toEqual([
    'this is the first configuration: everything in it is new',
  ]);
});

it('a partner that works and is not in the file is named, and how it is suspended', () => {
  expect(partnerNotes(STATE, [])).toEqual([
    expect.stringContaining('acme is not in the file: it still works'),
  ]);
  expect(partnerNotes(STATE, [{ id: 'acme' }])).toEqual([]);
  const partners = [{ ...PARTNER, status: 'SUSPENDED' }];
  expect(partnerNotes(stateWith({ partners }), [])).toEqual([]);
});
