/** How input is normalised before validation. */
export type EnteredAs =
  | 'text'
  /** `Rs. 1,00,000.50/-`, Latin or Devanagari: 100000.5. */
  | 'rupees'
  /** `+91 (98765) 43210`: ten digits. */
  | 'mobile'
  /** Digits only: codes, PIN codes, account numbers. */
  | 'digits'
  /** Upper case without blanks: PAN, IFSC. */
  | 'capitals'
  /** `<name>-day`, `-month`, `-year`: `2026-11-21`, if it exists. */
  | 'date'
  | 'checkbox';

export interface FormFieldTerms {
  readonly as?: EnteredAs;
  /** When empty; absent: `wrong`. */
  readonly missing?: string;
  /** When the broken rule's message is no key of the catalogue. */
  readonly wrong: string;
}

const FIELDS = Symbol('form fields');

type FormFields = ReadonlyMap<string, FormFieldTerms>;

export function FormField(field: FormFieldTerms): PropertyDecorator {
  return (prototype, property) => {
    const fields = new Map([...fieldsOf(prototype), [String(property), field]]);
    Reflect.defineMetadata(FIELDS, fields, prototype);
  };
}

/** Inherited ones first. */
export function formFieldsOf({ prototype }: { prototype: object }): FormFields {
  return fieldsOf(prototype);
}

function fieldsOf(prototype: object): FormFields {
  return (Reflect.getMetadata(FIELDS, prototype) ?? new Map()) as FormFields;
}
