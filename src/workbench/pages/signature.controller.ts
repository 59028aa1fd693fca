import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  KeyAccessRepository,
  type KeyUse,
  NONCE_FORM,
  SignatureExplainer,
  type SignatureExplanation,
  TIMESTAMP_FORM,
} from '../../auth/index.js';
import { type Entered, enteredIn, FormPost, type Page } from '../../platform/index.js';
import { type LoggedRequest, RequestLog } from '../../request-log/index.js';
import { SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { type Explained, shownExplanation } from './shown-explanation.js';
import { arrivalOf, shownCall, shownRefusal } from './shown-requests.js';
import { keyOptions, options, parameter, workbenchPage } from './workbench-page.js';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

const FIELDS = ['key', 'method', 'target', 'timestamp', 'nonce', 'signature', 'body'] as const;

/** Trimmed, except for `body`. */
type PastedCall = Readonly<Record<(typeof FIELDS)[number], string>>;

type FieldErrors = Partial<Record<(typeof FIELDS)[number], string>>;

const TARGET = /^\/[\x21-\x7e]*$/;
const SIGNATURE = /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;
const MILLISECONDS = /^\d{13}$/;

function pastedIn(entered: Entered): PastedCall {
  const pasted = FIELDS.map((name) => [name, entered[name] ?? ''] as const);
  return Object.fromEntries(
    pasted.map(([name, text]) => [name, name === 'body' ? text : text.trim()]),
  ) as PastedCall;
}

function errorsOf(pasted: PastedCall, keyIds: readonly string[]): FieldErrors {
  const { key, method, target, timestamp, nonce, signature } = pasted;
  const wrong: FieldErrors = {};
  if (!keyIds.includes(key)) wrong.key = 'Choose the key of the call.';
  if (!METHODS.some((one) => one === method)) wrong.method = 'Choose the method.';
  if (!TARGET.test(target)) wrong.target = targetError(target);
  if (!TIMESTAMP_FORM.test(timestamp)) wrong.timestamp = timestampError(timestamp);
  if (!NONCE_FORM.test(nonce)) {
    wrong.nonce = 'x-nonce must be a UUID v4 with dashes. Any other value gets 401.';
  }
  if (!SIGNATURE.test(signature)) {
    wrong.signature =
      'x-signature must be 64 hexadecimal characters (the 32 bytes of HMAC-SHA256). Any other value gets 401.';
  }
  return wrong;
}

function targetError(target: string): string {
  if (target.includes('…'))
    return 'Replace … with the value that you sent: the log does not store it.';
  return 'Give the path with its query, exactly as sent: starting with a slash, percent-encoded, without scheme and host.';
}

function timestampError(timestamp: string): string {
  return MILLISECONDS.test(timestamp)
    ? 'These are milliseconds. x-timestamp is in seconds: 10 digits.'
    : 'x-timestamp must be the Unix time in whole seconds: 10 digits.';
}

/** Browsers send every line break as CR LF. */
function bodiesOf({ body }: PastedCall): Buffer[] {
  const withLineFeeds = body.replaceAll('\r\n', '\n');
  const texts = new Set([withLineFeeds, withLineFeeds.replaceAll('\n', '\r\n')]);
  return [...texts].map((text) => Buffer.from(text, 'utf8'));
}

/** Not in production. No page shows a valid signature: any session could make calls with it. */
@Controller('workbench/signature')
@SignedIn
export class SignatureController {
  constructor(
    private readonly explainer: SignatureExplainer,
    private readonly requests: RequestLog,
    private readonly keys: KeyAccessRepository,
  ) {}

  @Get()
  async show(
    @Visitor() visitor: WorkbenchVisitor,
    @Query() query: Record<string, unknown>,
  ): Promise<Page> {
    const keys = await this.keys.usesOf(visitor.partnerId);
    const call = await this.refused(visitor, parameter(query, 'request'));
    const pasted = call ? pastedFrom(call) : pastedIn({ key: visitor.keyId });
    return page(visitor, keys, call, { pasted });
  }

  @FormPost()
  async explain(@Visitor() visitor: WorkbenchVisitor, @Req() request: Request): Promise<Page> {
    const entered = enteredIn(request);
    const pasted = pastedIn(entered);
    const keys = await this.keys.usesOf(visitor.partnerId);
    const call = await this.refused(visitor, entered.request ?? null);
    const errors = errorsOf(
      pasted,
      keys.map(({ id }) => id),
    );
    if (Object.keys(errors).length > 0) return page(visitor, keys, call, { pasted, errors });
    const apiKey = (entered.apiKey ?? '').trim() || undefined;
    const { host } = request.headers;
    const explanation = await this.explained(visitor, pasted, { call, apiKey, host });
    const verdict =
      apiKey === undefined
        ? null
        : await this.explainer.judgeApiKey(visitor.partnerId, pasted.key, apiKey);
    const arrived = call?.refused ?? null;
    const explained = explanation && { explanation, apiKey: verdict, arrived };
    return page(visitor, keys, call, { pasted, explained });
  }

  private async explained(
    { partnerId }: WorkbenchVisitor,
    pasted: PastedCall,
    { call, apiKey, host }: { call: LoggedRequest | null; apiKey?: string; host?: string },
  ): Promise<SignatureExplanation | null> {
    const { key: keyId, method, target, timestamp, nonce, signature } = pasted;
    const arrivedAt = call?.refused ? arrivalOf(call.refused) : undefined;
    const all: SignatureExplanation[] = [];
    for (const body of bodiesOf(pasted)) {
      const request = { method, target, timestamp, nonce, body };
      const question = { partnerId, keyId, apiKey, request, signature, host, arrivedAt };
      const explanation = await this.explainer.explain(question);
      if (explanation) all.push(explanation);
    }
    return (
      all.find(({ bodySha256 }) => bodySha256 === call?.refused?.bodySha256) ??
      all.find(({ finding }) => finding === 'RIGHT') ??
      all.find(({ finding }) => finding !== 'UNKNOWN') ??
      all.at(0) ??
      null
    );
  }

  private async refused(
    { partnerId }: WorkbenchVisitor,
    id: string | null,
  ): Promise<LoggedRequest | null> {
    const call = id === null ? null : await this.requests.find(partnerId, id);
    return call?.refused ? call : null;
  }
}

/** The log keeps neither the body nor the signature. */
function pastedFrom({ keyId, refused }: LoggedRequest): PastedCall {
  const [method = '', target = '', timestamp = '', nonce = ''] =
    refused?.canonical.split('\n') ?? [];
  return { key: keyId, method, target, timestamp, nonce, body: '', signature: '' };
}

interface PageContent {
  readonly pasted: PastedCall;
  readonly errors?: FieldErrors;
  readonly explained?: Explained | null;
}

function page(
  visitor: WorkbenchVisitor,
  keys: readonly KeyUse[],
  call: LoggedRequest | null,
  { pasted, errors = {}, explained }: PageContent,
): Page {
  const refused = call?.refused ?? null;
  return workbenchPage(visitor, 'signature', 'signature', {
    title: 'Signature debugger',
    pasted,
    wrong: errors,
    hasErrors: Object.keys(errors).length > 0,
    hasKey: keys.some(({ id }) => id === pasted.key),
    keys: keyOptions(keys, pasted.key),
    methods: options(METHODS, pasted.method),
    call: call && refused && { ...shownCall(call), refused: shownRefusal(refused) },
    explained: explained && shownExplanation(explained),
  });
}
