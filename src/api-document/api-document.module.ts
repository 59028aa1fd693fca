import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendAsset } from '../platform/index.js';
import { ApiDocument, LENDER_DOCUMENT, PARTNER_DOCUMENT, PARTNER_YAML } from './api-document.js';

@Controller()
class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Get(PARTNER_DOCUMENT)
  async partners(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, await this.document.asset(PARTNER_DOCUMENT));
  }

  @Get(PARTNER_YAML)
  async yaml(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, await this.document.asset(PARTNER_YAML));
  }

  @Get(LENDER_DOCUMENT)
  async lenders(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, await this.document.asset(LENDER_DOCUMENT));
  }
}

@Module({
  controllers: [ApiDocumentController],
  providers: [ApiDocument],
  exports: [ApiDocument],
})
export class ApiDocumentModule {}
