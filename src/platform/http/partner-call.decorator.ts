import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** What the API document says of one call; common parts are added where it is built. */
export interface PartnerCallDescription {
  /** In generated clients. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The class of `data`, described by `@ApiProperty`. */
  readonly answer: new () => object;
  /** Beyond those that every call has. */
  readonly failures?: readonly ErrorCode[];
  readonly session?: 'required' | 'optional';
  readonly isIdempotent?: boolean;
}

/** As the document's builder reads it. */
export interface PartnerCallNote extends Omit<PartnerCallDescription, 'answer'> {
  readonly answer: string;
}

export const PARTNER_CALL_NOTE = 'x-partner-call';
export const SCOPE_NOTE = 'x-scope';
export const AT_LEAST_ONE_NOTE = 'x-at-least-one';

/** In the API document, a body needs at least one of these optional fields. */
export function AtLeastOne(...fields: string[]): ClassDecorator {
  return ApiExtension(AT_LEAST_ONE_NOTE, fields) as ClassDecorator;
}

export function PartnerCall(description: PartnerCallDescription): MethodDecorator {
  const { operationId, summary, description: text, answer } = description;
  const note: PartnerCallNote = { ...description, answer: answer.name };
  return applyDecorators(
    ApiOperation({ operationId, summary, description: text }),
    ApiExtraModels(answer),
    ApiExtension(PARTNER_CALL_NOTE, note),
  );
}
