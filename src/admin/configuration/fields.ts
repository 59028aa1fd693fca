import { z } from 'zod';
import { rupeesToPaise } from '../../loans/index.js';
import {
  addressProblem,
  type Environment,
  field,
  isPlainText,
  isPrivateHost,
  MAX_ADDRESS_CHARACTERS,
  PLAIN_TEXT,
  PLAIN_TEXT_RULE,
} from '../../platform/index.js';

const MAX_RUPEES = 1e13;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;
// No punycode: the address bar would show another spelling.
const HOST =
  /^(?=.{1,253}$)(?!(?:.*\.)?xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const NO_STAND_IN =
  'must be left out in production, or be https with an IP address in a network of PRIVATE_NETWORKS';

export interface Deployment extends Pick<
  Environment,
  'mode' | 'isLoopback' | 'privateNetworks' | 'sandboxOpen' | 'mail'
> {
  /** Connectors of this build for the mode. */
  readonly lenderAdapters: readonly string[];
}

/** Its path begins at the checked value. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function problem(message: unknown, ...path: PropertyKey[]): Problem[] {
  return typeof message === 'string' ? [{ path, message }] : [];
}

/** @param when default: while no field is broken */
export function rules<Value>(
  find: (value: Value, issues: readonly z.core.$ZodRawIssue[]) => readonly Problem[],
  when?: (payload: z.core.ParsePayload) => boolean,
) {
  return z.superRefine<Value>(
    (value, context) => {
      for (const { message, path } of find(value, context.issues)) {
        context.addIssue({ code: 'custom', message, path: [...path] });
      }
    },
    { when },
  );
}

/** All but the first occurrence. */
export function repeated(
  texts: readonly { readonly path: readonly PropertyKey[]; readonly text: unknown }[],
  message: string,
): Problem[] {
  const seen = new Set<unknown>();
  return texts.flatMap(({ path, text: one }) => {
    const isKnown = typeof one === 'string' && seen.has(one);
    seen.add(one);
    return problem(isKnown && message, ...path);
  });
}

/** Refuses unknown fields: a misspelt setting must not be ignored. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, 'must be a mapping');
}

export function list<Item extends z.ZodType>(item: Item, least = 0) {
  const message = least === 0 ? 'must be a list' : `must be a list of at least ${least}`;
  return z.array(item, message).min(least, message);
}

export function differing<Item extends z.ZodType>(item: Item, message: string, key?: string) {
  const textOf = (one: unknown) => (key ? (one as Record<string, unknown> | null)?.[key] : one);
  return list(item).check(
    rules(
      (items: readonly unknown[]) =>
        repeated(
          items.map((one, index) => ({
            path: key ? [index, key] : [index],
            text: textOf(one),
          })),
          message,
        ),
      ({ value }) => Array.isArray(value),
    ),
  );
}

export function text(most = 200) {
  const rule = `must be text of 1 to ${most} characters ${PLAIN_TEXT_RULE}`;
  return field(
    z.string().refine((line) => isPlainText(line, most)),
    rule,
  );
}

export const pattern = (form: RegExp, rule: string) => field(z.string().regex(form), rule);

export const host = pattern(HOST, 'must be a host name, such as kyc.example.in');

export const flag = z.boolean('must be true or false');

// Length first: the pattern is quadratic.
export const email = field(
  z.string().refine((line) => line.length <= 254 && EMAIL.test(line) && PLAIN_TEXT.test(line)),
  'must be an e-mail address',
);

export const decimal = (least: number, most: number) =>
  field(z.number().min(least).max(most), `must be a number between ${least} and ${most}`);

/** 0 to 100. */
export const percent = decimal(0, 100);

/** Rupees in the file, paise when read. */
export const rupees = field(
  z
    .number()
    .positive()
    .max(MAX_RUPEES)
    .refine((amount) => Number(amount.toFixed(2)) === amount)
    .transform(rupeesToPaise),
  'must be an amount in rupees above zero with at most two decimals',
);

export function words<const Words extends readonly string[]>(of: Words, least = 0) {
  const atLeast = least ? ` of at least ${least}` : '';
  return field(
    z.array(z.enum(of)).min(least).refine(areDifferent),
    `must be a list${atLeast} of different words from ${of.join(', ')}`,
  );
}

export function areDifferent(items: readonly unknown[]): boolean {
  return new Set(items).size === items.length;
}

/** In production no other host may replace a gateway: it reports payments. */
export const standIn = (deployment: Deployment) =>
  text(MAX_ADDRESS_CHARACTERS).check(
    rules((address) => {
      const refused = addressProblem(address, deployment);
      if (deployment.mode !== 'production') return problem(refused);
      const isOwn =
        !refused && isPrivateHost(new URL(address).hostname, deployment.privateNetworks);
      return problem(!isOwn && NO_STAND_IN);
    }),
  );

export const gatewayError = (...gateways: string[]) => ({
  error: ({ code }: { code?: string }) =>
    code === 'invalid_type' ? 'must be a mapping' : `must be one of ${gateways.join(', ')}`,
});
