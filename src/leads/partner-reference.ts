import { applyDecorators, Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { PartnerReturnUrls } from '../auth/index.js';
import {
  asSent,
  DescribedField,
  hasPersonalNumber,
  isPlainText,
  Keyring,
  MAX_ADDRESS_CHARACTERS,
  Rule,
  ShownText,
  TextField,
  validationFault,
  isRecord,
} from '../platform/index.js';

const MAX_REFERENCE_CHARACTERS = 64;
const MAX_PAIRS = 20;
const MAX_PAIR_CHARACTERS = 500;
const SEALED_PURPOSE = 'applications.reference';
const HASH_PURPOSE = 'applications.client_reference_id';
const NO_PERSONAL_NUMBER = 'must not contain a PAN, a mobile number or an Aadhaar number';
const METADATA =
  `must be an object of at most ${MAX_PAIRS} text values, with keys of 1 to ${MAX_PAIR_CHARACTERS} ` +
  `characters and values of at most ${MAX_PAIR_CHARACTERS}`;

/** Returned to the partner, never interpreted, and never sent to applicants or lenders. */
export interface PartnerReference {
  readonly clientReferenceId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly returnUrl?: string;
}

export const ShownClientReference = () =>
  ShownText('Your own reference, if you sent one.', 'order-A1042', { optional: true });

export const ShownMetadata = () =>
  DescribedField(
    { type: 'object', additionalProperties: { type: 'string' } },
    { optional: true, about: 'Your own data, if you sent it.', example: { campaign: 'diwali' } },
  );

/** Its fields are those of the bodies that start a loan. */
export class GivenReference implements PartnerReference {
  @ClientReferenceField()
  clientReferenceId?: string;

  @MetadataField()
  metadata?: Readonly<Record<string, string>>;

  @Rule('number', (value) => !hasPersonalNumber(unescaped(String(value))), NO_PERSONAL_NUMBER)
  @TextField({
    optional: true,
    most: MAX_ADDRESS_CHARACTERS,
    about:
      'Where the applicant returns to your app, instead of your default. Its origin must be one that ' +
      'the operator allowed for you.',
    example: 'https://app.example/loans/back?order=A-1042',
  })
  returnUrl?: string;
}

function ClientReferenceField(): PropertyDecorator {
  return applyDecorators(
    TextField({
      optional: true,
      most: MAX_REFERENCE_CHARACTERS,
      about: 'Your own reference. It is returned with the loan, its lead and its events.',
      example: 'order-A1042',
    }),
    Rule('reference', (value) => !hasPersonalNumber(String(value)), NO_PERSONAL_NUMBER),
  );
}

function MetadataField(): PropertyDecorator {
  return applyDecorators(
    DescribedField(
      {
        type: 'object',
        additionalProperties: { type: 'string', maxLength: MAX_PAIR_CHARACTERS },
        maxProperties: MAX_PAIRS,
      },
      {
        optional: true,
        about: `Your own data, at most ${MAX_PAIRS} pairs. It is returned as sent.`,
        example: { campaign: 'diwali', branch: 'pune-4' },
      },
    ),
    // The transformer would drop keys such as `toString`.
    Transform(({ obj }: { obj: { metadata?: unknown } }) => asSent(obj.metadata) ?? undefined),
    IsOptional(),
    Rule('metadata', isMetadata, METADATA),
    Rule('pairs', (value) => !pairsOf(value).some(hasPersonalNumber), NO_PERSONAL_NUMBER),
  );
}

/** Unchanged where its percent-encoding is invalid. */
function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function isMetadata(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const pairs = Object.entries(value);
  const isText = (text: unknown) => isPlainText(text, MAX_PAIR_CHARACTERS);
  return (
    pairs.length <= MAX_PAIRS &&
    pairs.every(([key, text]) => isText(key) && (text === '' || isText(text)))
  );
}

/** Every key and value. */
function pairsOf(value: unknown): string[] {
  return Object.entries(value as Record<string, string>).flat();
}

export function givenReference(given: GivenReference): PartnerReference {
  const { clientReferenceId, metadata, returnUrl } = given;
  return {
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(metadata !== undefined && { metadata }),
    ...(returnUrl !== undefined && { returnUrl }),
  };
}

@Injectable()
export class LoanReturnUrls {
  constructor(private readonly partners: PartnerReturnUrls) {}

  /**
   * @returns the reference with the `returnUrl` in its normal form
   * @throws Fault validation_failed for a `returnUrl` of an origin that the partner does not list
   */
  async checked(partnerId: string, reference: PartnerReference): Promise<PartnerReference> {
    const { returnUrl } = reference;
    if (returnUrl === undefined) return reference;
    const origins = await this.partners.originsOf(partnerId);
    const url = URL.parse(returnUrl);
    if (url && origins.includes(url.origin) && !url.username && !url.password) {
      return { ...reference, returnUrl: url.href };
    }
    const message =
      origins.length === 0
        ? 'must be left out until the operator allows a return origin for you'
        : `must be a URL of one of ${origins.join(', ')}`;
    throw validationFault([{ field: 'returnUrl', message }]);
  }
}

/** The text is bound to its application, so a copy to another row cannot be opened. */
@Injectable()
export class PartnerReferences {
  constructor(private readonly keyring: Keyring) {}

  /** Null for an empty reference. */
  seal(applicationId: string, reference: PartnerReference): string | null {
    if (Object.keys(reference).length === 0) return null;
    return this.keyring.seal(JSON.stringify(reference), `${SEALED_PURPOSE}:${applicationId}`);
  }

  open(applicationId: string, sealed: string | null): PartnerReference {
    if (sealed === null) return {};
    const text = this.keyring.open(sealed, `${SEALED_PURPOSE}:${applicationId}`);
    return JSON.parse(text) as PartnerReference;
  }

  /** What a partner sees again; after an erasure nothing. */
  shown(applicationId: string, sealed: string | null): Omit<PartnerReference, 'returnUrl'> {
    const { returnUrl: _, ...shown } = this.open(applicationId, sealed);
    return shown;
  }

  /** One per master key, the newest first. */
  hashesOf(clientReferenceId: string): string[] {
    return this.keyring.lookupHashes(clientReferenceId, HASH_PURPOSE);
  }
}
