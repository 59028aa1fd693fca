import { Controller, Get, Param, Query } from '@nestjs/common';
import { KeyAccessRepository, type KeyUse } from '../../auth/index.js';
import { Fault, type Page } from '../../platform/index.js';
import { type RequestFilter, RequestLog, timeOfRequestId } from '../../request-log/index.js';
import { SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import {
  address,
  choice,
  KEPT_CURRENT,
  keyOptions,
  options,
  parameter,
  stamp,
  workbenchPage,
} from './workbench-page.js';
import { shownCall, shownWholeCall } from './shown-requests.js';

const LIST = '/workbench/requests';
const ROWS_A_PAGE = 50;
const CLASSES = ['2xx', '4xx', '5xx'] as const;
const METHODS = ['GET', 'POST', 'DELETE'] as const;

type GivenQuery = Record<string, unknown>;

/** Includes all keys of the partner and the last seven days. */
@Controller('workbench/requests')
@SignedIn
export class RequestsController {
  constructor(
    private readonly requests: RequestLog,
    private readonly keys: KeyAccessRepository,
  ) {}

  @Get()
  async list(@Visitor() visitor: WorkbenchVisitor, @Query() query: GivenQuery): Promise<Page> {
    const { partnerId } = visitor;
    const keys = await this.keys.usesOf(partnerId);
    const asked = askedFor(query);
    const before = parameter(query, 'before');
    const page = await this.requests.list(partnerId, filterOf(asked), {
      before: before ?? undefined,
      limit: ROWS_A_PAGE,
    });
    const { requests, nextBefore } = page;
    const isShort = nextBefore !== null && requests.length < ROWS_A_PAGE;
    return workbenchPage(visitor, 'requests', 'requests', {
      title: 'Requests',
      ...(before === null && KEPT_CURRENT),
      asked,
      classes: options(CLASSES, asked.status),
      methods: options(METHODS, asked.method),
      keys: keyFilter(keys, asked.key),
      isFiltered: Object.values(asked).some((value) => value !== null),
      rows: requests.map(shownCall),
      searchedTo: isShort ? stamp(new Date(timeOfRequestId(nextBefore))) : null,
      olderHref: nextBefore && address(LIST, { ...asked, before: nextBefore }),
      newestHref: before && address(LIST, asked),
    });
  }

  @Get(':id')
  async show(@Visitor() visitor: WorkbenchVisitor, @Param('id') id: string): Promise<Page> {
    const { partnerId } = visitor;
    const call = await this.requests.find(partnerId, id);
    if (!call) {
      throw new Fault('route_not_found', { message: 'No such call in the last seven days' });
    }
    const keys = await this.keys.usesOf(partnerId);
    return workbenchPage(visitor, 'requests', 'request', {
      title: `Request ${call.requestId}`,
      call: shownWholeCall(call, keys, visitor),
    });
  }
}

function askedFor(query: GivenQuery) {
  return {
    status: choice(query, 'status', CLASSES),
    method: choice(query, 'method', METHODS),
    code: parameter(query, 'code'),
    route: parameter(query, 'route'),
    path: parameter(query, 'path'),
    request: parameter(query, 'request'),
    subject: parameter(query, 'subject'),
    key: parameter(query, 'key'),
  };
}

function filterOf(asked: ReturnType<typeof askedFor>): RequestFilter {
  return {
    statusClass: asked.status ?? undefined,
    method: asked.method ?? undefined,
    code: asked.code ?? undefined,
    route: asked.route ?? undefined,
    path: asked.path ?? undefined,
    requestId: asked.request ?? undefined,
    subjectId: asked.subject ?? undefined,
    keyId: asked.key ?? undefined,
  };
}

/** A revoked key stays selected. */
function keyFilter(keys: readonly KeyUse[], chosen: string | null) {
  const known = keyOptions(keys, chosen);
  const isKnown = chosen === null || known.some(({ isChosen }) => isChosen);
  return isKnown ? known : [...known, { value: chosen, title: chosen, isChosen: true }];
}
