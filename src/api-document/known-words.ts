import type { OpenAPIObject } from '@nestjs/swagger';
import { INSTANT_LOAN_STATUSES, INSTANT_LOAN_TRANSITIONS } from '../instant-loans/index.js';
import {
  JOURNEY_STATES,
  NEXT_ACTION_CATEGORIES,
  NEXT_ACTION_TYPES,
  OUTCOMES,
  stateLines,
} from '../journeys/index.js';
import { AT_LEAST_ONE_NOTE } from '../platform/index.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Record<string, unknown> & { properties?: Record<string, object> };

const LEAD_STATUS = {
  enum: [...new Set<string>([...JOURNEY_STATES, ...INSTANT_LOAN_STATUSES])],
  description:
    `Of a journey’s lead, the journey’s state:\n\n${stateLines()}\n\n` +
    `Of an instant loan:\n\n${instantLoanLines()}`,
};

/** Fields whose words are told by modules that the field’s own module knows nothing of. */
const WORDS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  LeadView: { status: LEAD_STATUS },
  LeadStatus: { status: LEAD_STATUS },
  EventDataView: { state: { enum: [...JOURNEY_STATES] }, outcome: { enum: [...OUTCOMES] } },
  EventNextActionView: {
    type: { enum: [...NEXT_ACTION_TYPES] },
    category: { enum: [...NEXT_ACTION_CATEGORIES] },
  },
};

/** The schemas with the words that their fields can hold, and with what they need besides. */
export function withKnownWords(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, completed(name, schema as Schema)]),
  );
}

function completed(name: string, schema: Schema): Schema {
  const { [AT_LEAST_ONE_NOTE]: oneOf, ...rest } = schema;
  const words = Object.entries(WORDS[name] ?? {}).map(([field, known]) => [
    field,
    { ...rest.properties?.[field], ...known },
  ]);
  return {
    ...rest,
    ...(words.length > 0 && {
      properties: { ...rest.properties, ...(Object.fromEntries(words) as object) },
    }),
    ...(Array.isArray(oneOf) && { anyOf: oneOf.map((field: string) => ({ required: [field] })) }),
  };
}

function instantLoanLines(): string {
  return INSTANT_LOAN_STATUSES.map((status) => {
    const targets = new Set(Object.values(INSTANT_LOAN_TRANSITIONS[status]));
    const words = [...targets].map((target) => `\`${target}\``).join(', ');
    return `- \`${status}\` ${targets.size === 0 ? 'is the end' : `leads to ${words}`}`;
  }).join('\n');
}
