import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** What the API document says of one call, apart from what holds for every call. */
export interface PartnerCallDescription {
  /** The name that generated clients give the call. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The class of what stands in `data`, its fields described by `@ApiProperty`. */
  readonly answer: new () => object;
  /** The ways in which this call can fail beyond those that every call has. */
  readonly failures?: readonly ErrorCode[];
  /** Whether the call takes the session of its journey. */
  readonly session?: 'required' | 'optional';
  /** Whether the call takes an Idempotency-Key. */
  readonly isIdempotent?: boolean;
}

/** The same, as the document's builder finds it at an operation. */
export interface PartnerCallNote extends Omit<PartnerCallDescription, 'answer'> {
  /** The name of the answer's schema. */
  readonly answer: string;
}

export const PARTNER_CALL_NOTE = 'x-partner-call';
export const SCOPE_NOTE = 'x-scope';
export const AT_LEAST_ONE_NOTE = 'x-at-least-one';

/** Says in the API document that a body's object must have one of these optional fields, or several. */
export function AtLeastOne(...fields: string[]): ClassDecorator {
  return ApiExtension(AT_LEAST_ONE_NOTE, fields) as ClassDecorator;
}

/**
 * Describes a call of the partner API. The envelope, the headers, the authentication and the
 * failures that every call shares are added where the document is built.
 */
export function PartnerCall(description: PartnerCallDescription): MethodDecorator {
  const { operationId, summary, description: text, answer } = description;
  const note: PartnerCallNote = { ...description, answer: answer.name };
  return applyDecorators(
    ApiOperation({ operationId, summary, description: text }),
    ApiExtraModels(answer),
    ApiExtension(PARTNER_CALL_NOTE, note),
  );
}
