import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

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
  constructor(private readonly components: Components) {}

  groupsOf(schema: Schema): FieldGroup[] {
    const whole = this.resolved(schema);
    // With fields of its own, `anyOf` only says which go together.
    const forms = whole.oneOf ?? (whole.properties ? undefined : whole.anyOf);
    if (!forms) return [{ fields: this.linesOf(whole, '') }];
    return forms.map((form, place) => ({
      title: this.resolved(form).title ?? `Form ${place + 1}`,
      fields: this.linesOf(form, ''),
    }));
  }

  private linesOf(schema: Schema, prefix: string): FieldLine[] {
    const { properties = {}, required = [] } = this.resolved(schema);
    return Object.entries(properties).flatMap(([name, field]) => {
      const whole = this.resolved(field);
      const path = `${prefix}${name}`;
      const inner = whole.items ? this.resolved(whole.items) : whole;
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

  /** Without references, its parts merged. */
  private resolved(schema: Schema): Schema {
    const { $ref, allOf = [], ...own } = schema;
    const parts = [
      ...($ref === undefined ? [] : [this.named($ref)]),
      ...allOf.map((part) => this.resolved(part)),
    ];
    return parts.reduceRight<Schema>(
      (whole, part) => ({
        ...part,
        ...whole,
        ...((part.properties ?? whole.properties) && {
          properties: { ...part.properties, ...whole.properties },
          required: [...(part.required ?? []), ...(whole.required ?? [])],
        }),
      }),
      own,
    );
  }

  private named(reference: string): Schema {
    const schema = this.components.schemas?.[reference.split('/').at(-1)!];
    if (!schema) throw new Error(`the document has no schema ${reference}`);
    return this.resolved(schema);
  }

  private typeOf({
    type,
    items,
    format,
    additionalProperties,
  }: Schema & { additionalProperties?: unknown }): string {
    const own = typeof type === 'string' ? type : (type ?? []).join(' or ');
    if (own === 'array' && items) return `list of ${this.typeOf(this.resolved(items))}s`;
    if (additionalProperties) return 'object';
    return format === undefined ? own || 'object' : `${own} (${format})`;
  }
}

export function aboutOf(schema: Schema, inner: Schema = schema): string {
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
