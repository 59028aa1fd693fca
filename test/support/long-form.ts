/** Whether tests run in their long form: `npm run test:long` sets `LONG_FORM=1`. */
export const IS_LONG_FORM = process.env.LONG_FORM === '1';

/** The value for the current form. */
export function inForm<Value>({ short, long }: { short: Value; long: Value }): Value {
  return IS_LONG_FORM ? long : short;
}
