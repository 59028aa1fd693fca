import { describe, expect, it } from 'vitest';
import { Schemas } from './schema-examples.js';

const text = (example: string) => ({ type: 'string', examples: [example] });
const schemas = new Schemas({
  Lead: {
    type: 'object',
    required: ['id', 'isPaid', 'count', 'status'],
    properties: {
      id: text('app_1'),
      isPaid: { type: 'boolean' },
      count: { type: 'integer', minimum: 1 },
      status: { enum: ['NEW', 'OLD'] },
      note: text('late'),
    },
  },
  Page: {
    required: ['leads'],
    properties: { leads: { type: 'array', items: { $ref: '#/components/schemas/Lead' } } },
  },
  Verdict: {
    oneOf: ['PAID', 'REFUSED'].map((word) => ({
      required: ['verdict', word],
      properties: { verdict: { const: word }, [word]: text(`is ${word}`) },
    })),
  },
});
const LEAD = { id: 'app_1', isPaid: true, count: 1, status: 'NEW' };
const example = (name: string, own?: object) =>
  schemas.example({ $ref: `#/components/schemas/${name}` }, own);

describe('the example of a schema', () => {
  it('has each required field, and an optional one only when it is named', () => {
    expect(example('Lead')).toEqual(LEAD);
    expect(example('Lead', { note: 'soon', status: 'OLD' })).toEqual({
      ...LEAD,
      status: 'OLD',
      note: 'soon',
    });
  });

  it('has one item of a list, or one for each that is given', () => {
    expect(example('Page')).toEqual({ leads: [LEAD] });
    expect(example('Page', { leads: [] })).toEqual({ leads: [] });
    expect(example('Page', { leads: [{}, { id: 'app_2' }] })).toEqual({
      leads: [LEAD, { ...LEAD, id: 'app_2' }],
    });
  });

  it('is of the form that its values name', () => {
    expect(example('Verdict')).toEqual({ verdict: 'PAID', PAID: 'is PAID' });
    expect(example('Verdict', { verdict: 'REFUSED' })).toEqual({
      verdict: 'REFUSED',
      REFUSED: 'is REFUSED',
    });
  });
});
