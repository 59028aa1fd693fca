import { ERROR_CATALOGUE, type ErrorCode } from '../platform/index.js';
import type { CallExample } from './call-examples.js';
import type { FieldGroup, FieldLine } from './schema-fields.js';

interface ShownExample {
  readonly title: string;
  readonly value: unknown;
}

/** What the page of a call shows. */
export interface CallFacts {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly examples: readonly CallExample[];
  readonly parameters: readonly FieldLine[];
  readonly body: readonly FieldGroup[];
  readonly bodyExamples: readonly ShownExample[];
  readonly answer: readonly FieldGroup[];
  readonly answerExamples: readonly ShownExample[];
  readonly failures: readonly ErrorCode[];
}

export interface EventFacts {
  readonly name: string;
  readonly meaning: string;
  readonly body: unknown;
}

const FENCES = { curl: 'sh', Node: 'js', Python: 'python', Java: 'java', Go: 'go', PHP: 'php' };

export function callPage(call: CallFacts): string {
  return page(call.title, [
    `\`${call.method} ${call.path}\``,
    call.about,
    ...call.examples.map(({ language, code }) => fence(`${FENCES[language]} ${language}`, code)),
    'The examples need [three variables for curl, `rinpath` for Node and Python](/docs/quick-start#the-clients), [`call`](/docs/signing#a-signed-call) for Java, Go and PHP.',
    ...part('Parameters', [fieldList(call.parameters)]),
    ...part('Body', [...call.body.map(groupText), ...call.bodyExamples.map(example)]),
    '## Response',
    '200, with this in `data`:',
    ...call.answer.map(groupText),
    ...call.answerExamples.map(example),
    '## Failures',
    failureTable(call.failures),
  ]);
}

export function eventsPage(
  events: readonly EventFacts[],
  fields: readonly FieldLine[],
  headers: readonly FieldLine[],
): string {
  return page('Event catalogue', [
    'How to receive and verify them: [webhooks](/docs/webhooks). The same events can be [read by call](/docs/reference/listEvents).',
    ...events.flatMap(({ name, meaning, body }) => [
      `## ${name}`,
      `${meaning}.`,
      fence('json', JSON.stringify(body, null, 2)),
    ]),
    '## Fields',
    'Of the body of a journey’s event. For the others see [lead events](/docs/webhooks#lead-events) and [alerts](/docs/webhooks#alerts).',
    fieldList(fields),
    '## Headers',
    fieldList(headers),
  ]);
}

export function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts.filter((text) => text !== '')].join('\n\n')}\n`;
}

function part(title: string, parts: readonly string[]): string[] {
  return parts.some((text) => text !== '') ? [`## ${title}`, ...parts] : [];
}

const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\``;

const example = ({ title, value }: ShownExample) =>
  fence(`json ${title}`, JSON.stringify(value, null, 2));

function groupText({ title, fields }: FieldGroup): string {
  return [...(title === undefined ? [] : [`### ${title}`]), fieldList(fields)].join('\n\n');
}

function fieldList(fields: readonly FieldLine[]): string {
  return fields
    .map(({ name, type, isRequired, about }) => {
      const head = `- \`${name}\` *${type}${isRequired ? ', required' : ''}*`;
      // What follows in the item is indented, lists too.
      return about === '' ? head : `${head}\n\n  ${about.replaceAll('\n', '\n  ')}`;
    })
    .join('\n');
}

function failureTable(codes: readonly ErrorCode[]): string {
  const rows = codes.map((code) => {
    const { status, message } = ERROR_CATALOGUE[code];
    return `| ${status} | [\`${code}\`](/docs/errors#${code}) | ${message} |`;
  });
  return ['| Status | Code | Message |', '| - | - | - |', ...rows].join('\n');
}
