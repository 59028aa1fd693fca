import { readFileSync } from 'node:fs';
import { Controller, Get, Module, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiDocumentModule } from '../api-document/index.js';
import {
  type Asset,
  Fault,
  keptAsset,
  projectPath,
  type ScreenModel,
  Screens,
  sendAsset,
} from '../platform/index.js';
import { type Docs, DocsContent } from './docs-content.js';
import { TryPageController } from './try-page.controller.js';

type Model = ScreenModel & { readonly title: string; readonly section: string };

const FRAME = { layout: 'docs', sheets: ['workbench.css', 'docs.css'] };
const MAX_QUERY_CHARACTERS = 100;

/** Public, without a key. */
@Controller('docs')
class DocsController {
  private readonly vectors = keptAsset(
    'application/json; charset=utf-8',
    readFileSync(projectPath('docs/signing-vectors.json')),
  );

  constructor(
    private readonly content: DocsContent,
    private readonly screens: Screens,
  ) {}

  @Get()
  home(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.draw(request, response, 'home', ({ guides, reference }) => ({
      title: 'Documentation',
      section: 'home',
      guides,
      tags: reference.tags,
    }));
  }

  @Get('search')
  async search(
    @Query('q') given: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const docs = await this.content.read();
    const words = typeof given === 'string' ? given.slice(0, MAX_QUERY_CHARACTERS).trim() : '';
    let page = docs.searched.get(words);
    if (!page) {
      const results = words === '' ? [] : docs.search.find(words);
      const model = { title: 'Search', section: 'search', words, found: results };
      page = await this.drawn(request, response, 'search', docs, model);
      docs.searched.set(words, page);
    }
    await sendAsset(request, response, page);
  }

  @Get('signing-vectors.json')
  signingVectors(@Req() request: Request, @Res() response: Response): Promise<void> {
    return sendAsset(request, response, this.vectors);
  }

  @Get('reference')
  reference(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.draw(request, response, 'reference', ({ reference }) => ({
      title: 'API reference',
      section: 'reference',
      tags: reference.tags,
      events: reference.events,
    }));
  }

  @Get('reference/webhook-events')
  events(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.draw(request, response, 'events', ({ reference: { events } }) => ({
      title: 'Webhook events',
      section: 'reference',
      events,
    }));
  }

  @Get('reference/:call')
  call(
    @Param('call') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.draw(request, response, 'call', ({ reference }) => {
      const call = found(reference.calls.find((one) => one.slug === slug));
      return { title: call.title, section: 'reference', call };
    });
  }

  @Get(':guide')
  guide(
    @Param('guide') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.draw(request, response, 'guide', ({ guides }) => {
      const guide = found(guides.find((one) => one.slug === slug));
      return {
        title: guide.title,
        section: slug,
        guide,
        parts: guide.sections.filter(({ anchor, isHeading }) => anchor !== '' && isHeading),
      };
    });
  }

  private async draw(
    request: Request,
    response: Response,
    name: string,
    modelOf: (docs: Docs) => Model,
  ): Promise<void> {
    const docs = await this.content.read();
    const model = modelOf(docs);
    const key = [name, String(request.params.call ?? model.section)].join('/');
    const kept = docs.drawn.get(key) ?? (await this.drawn(request, response, name, docs, model));
    docs.drawn.set(key, kept);
    await sendAsset(request, response, kept);
  }

  private async drawn(
    request: Request,
    response: Response,
    name: string,
    docs: Docs,
    model: Model,
  ): Promise<Asset> {
    const whole = { ...FRAME, ...menuOf(docs, model.section), ...model };
    const html = await this.screens.html(request, response, `docs/${name}`, whole);
    return keptAsset('text/html; charset=utf-8', Buffer.from(html));
  }
}

function menuOf({ guides }: Docs, section: string) {
  return {
    menu: guides.map(({ slug, href, title }) => ({
      href,
      title,
      isCurrent: slug === section,
    })),
  };
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Fault('route_not_found');
  return value;
}

@Module({
  imports: [ApiDocumentModule],
  // Fixed addresses before the guides, which accept any name.
  controllers: [TryPageController, DocsController],
  providers: [DocsContent],
})
export class DocsSiteModule {}
