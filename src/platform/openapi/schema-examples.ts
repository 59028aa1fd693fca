/** The subset of JSON Schema 2020-12 that the documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Builds examples from the examples of single fields. */
export class Schemas {
  constructor(private readonly named: Readonly<Record<string, Schema>>) {}

  /** Resolves references and merges `allOf`. */
  resolved({ $ref, allOf = [], ...own }: Schema): Schema {
    const references = $ref === undefined ? allOf : [{ ...this.find($ref) }, ...allOf];
    return references.reduceRight<Schema>((whole, reference) => {
      const part = this.resolved(reference);
      const properties = { ...part.properties, ...whole.properties };
      const required = [...(part.required ?? []), ...(whole.required ?? [])];
      return {
        ...part,
        ...whole,
        ...((part.properties ?? whole.properties) && { properties, required }),
      };
    }, own);
  }

  formsOf(schema: Schema): readonly Schema[] {
    const whole = this.resolved(schema);
    // Beside `properties`, `anyOf` only says which belong together.
    const forms = whole.oneOf ?? (whole.properties ? undefined : whole.anyOf);
    return forms?.map((form) => this.resolved(form)) ?? [whole];
  }

  example(schema: Schema, own?: unknown): unknown {
    const form = this.formsOf(schema).find((one) => fits(one, own)) ?? {};
    const { properties, required = [], items = {}, examples, type } = form;
    if (Array.isArray(own)) return own.map((one) => this.example(items, one));
    if (own === null || (own !== undefined && typeof own !== 'object')) return own;
    const given = { ...(examples?.[0] as object | undefined), ...own } as Record<string, unknown>;
    if (!properties) return own ?? usual(form) ?? (type === 'array' ? [this.example(items)] : {});
    const names = Object.keys(properties).filter(
      (name) => name in given || (examples === undefined && required.includes(name)),
    );
    return Object.fromEntries(
      names.map((name) => [name, this.example(properties[name], given[name])]),
    );
  }

  private find($ref: string): Schema {
    const schema = this.named[$ref.split('/').at(-1)!];
    if (!schema) throw new Error(`the document has no schema ${$ref}`);
    return schema;
  }
}

function usual({ examples, enum: words, type, minimum, ...schema }: Schema): unknown {
  const isFlag = type === 'boolean' || undefined;
  return examples?.[0] ?? schema.const ?? words?.[0] ?? minimum ?? isFlag;
}

function fits({ properties = {} }: Schema, own: unknown): boolean {
  return Object.entries(own ?? {}).every(([name, value]) =>
    [undefined, value].includes(properties[name]?.const),
  );
}
