import type { JsonSchema, Schemas } from '../platform/index.js';

export interface FieldLine {
  /** Dotted from the root, `[]` for lists: `offers[].apr`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** A body may have several forms. */
export interface FieldGroup {
  readonly title?: string;
  readonly fields: readonly FieldLine[];
}

export class SchemaFields {
  constructor(private readonly schemas: Schemas) {}

  groupsOf(schema: JsonSchema): FieldGroup[] {
    const forms = this.schemas.formsOf(schema);
    return forms.map((form, place) => ({
      ...(forms.length > 1 && { title: form.title ?? `Form ${place + 1}` }),
      fields: this.linesOf(form, ''),
    }));
  }

  private linesOf(schema: JsonSchema, prefix: string): FieldLine[] {
    const { properties = {}, required = [] } = this.schemas.resolved(schema);
    return Object.entries(properties).flatMap(([name, field]) => {
      const whole = this.schemas.resolved(field);
      const path = `${prefix}${name}`;
      const inner = whole.items ? this.schemas.resolved(whole.items) : whole;
      return [
        {
          name: path,
          type: this.typeOf(whole),
          isRequired: required.includes(name),
          about: aboutOf(whole, inner),
        },
        ...this.linesOf(inner, whole.items ? `${path}[].` : `${path}.`),
      ];
    });
  }

  private typeOf({ type, items, format, additionalProperties }: JsonSchema): string {
    const own = typeof type === 'string' ? type : (type ?? []).join(' or ');
    if (own === 'array' && items) return `list of ${this.typeOf(this.schemas.resolved(items))}s`;
    if (additionalProperties) return 'object';
    return format === undefined ? own || 'object' : `${own} (${format})`;
  }
}

export function aboutOf(schema: JsonSchema, inner: JsonSchema = schema): string {
  const { description = '', pattern, minimum, maximum, minLength, maxLength } = schema;
  const words = schema.enum ?? inner.enum;
  const meaning =
    description === '' || /[.:!?]$/.test(description) ? description : `${description}.`;
  return [
    meaning,
    words && !meaning.includes('`' + String(words[0]) + '`')
      ? `One of ${words.map((word) => `\`${String(word)}\``).join(', ')}.`
      : '',
    between('', minimum, maximum),
    between(' characters', minLength, maxLength),
    pattern === undefined ? '' : `Pattern \`${pattern}\`.`,
    schema.default === undefined ? '' : `Default ${JSON.stringify(schema.default)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function between(unit: string, least?: number, most?: number): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return `At most ${most}${unit}.`;
  return most === undefined ? `At least ${least}${unit}.` : `${least} to ${most}${unit}.`;
}
