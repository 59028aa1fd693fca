/** How what was typed is tidied before the rules look at it. */
export type EnteredAs =
  /** As it is (trimmed by the rules). */
  | 'text'
  /** `Rs. 1,00,000.50/-`, in Latin or Devanagari digits: the number 100000.5. */
  | 'rupees'
  /** `+91 (98765) 43210` and the like: the ten digits. */
  | 'mobile'
  /** Only the digits, Devanagari ones as Latin: codes, PIN codes and account numbers. */
  | 'digits'
  /** Upper case, without blanks: PAN, IFSC. */
  | 'capitals'
  /** Three inputs `<name>-day`, `-month`, `-year`: `2026-11-21`, if such a day exists. */
  | 'date'
  /** A box that is ticked or not: true or false. */
  | 'checkbox';

export interface FormFieldTerms {
  readonly as?: EnteredAs;
  /** The text shown when nothing was entered; absent: `wrong`. */
  readonly missing?: string;
  /** The text shown when a rule is broken whose own message is not a key of the catalogue. */
  readonly wrong: string;
}

const terms = new WeakMap<object, Map<string, FormFieldTerms>>();

/** Says how a field of a form is read, and what is said when it is missing or wrong (keys). */
export function FormField(field: FormFieldTerms): PropertyDecorator {
  return (prototype, property) => {
    const fields = terms.get(prototype) ?? new Map<string, FormFieldTerms>();
    terms.set(prototype, fields.set(String(property), field));
  };
}

/** The fields of a form's class, those that it inherits first. */
export function formFieldsOf(shape: { prototype: object }): ReadonlyMap<string, FormFieldTerms> {
  const found = new Map<string, FormFieldTerms>();
  const chain: object[] = [];
  for (let at: object | null = shape.prototype; at; at = Object.getPrototypeOf(at) as object | null)
    chain.unshift(at);
  for (const prototype of chain) {
    for (const [name, field] of terms.get(prototype) ?? []) found.set(name, field);
  }
  return found;
}
