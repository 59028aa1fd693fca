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

const FIELDS = Symbol('form fields');

type FormFields = ReadonlyMap<string, FormFieldTerms>;

/** Declares how a form's field is read, and the texts (keys) when it is missing or wrong. */
export function FormField(field: FormFieldTerms): PropertyDecorator {
  return (prototype, property) => {
    const fields = new Map([...fieldsOf(prototype), [String(property), field]]);
    Reflect.defineMetadata(FIELDS, fields, prototype);
  };
}

/** The fields of a form's class, those that it inherits first. */
export function formFieldsOf({ prototype }: { prototype: object }): FormFields {
  return fieldsOf(prototype);
}

function fieldsOf(prototype: object): FormFields {
  return (Reflect.getMetadata(FIELDS, prototype) ?? new Map()) as FormFields;
}
