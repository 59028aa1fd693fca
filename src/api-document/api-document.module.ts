import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendAsset } from '../platform/index.js';
import { ApiDocument } from './api-document.js';

@Controller()
class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, await this.document.asset());
  }
}

@Module({
  controllers: [ApiDocumentController],
  providers: [ApiDocument],
  exports: [ApiDocument],
})
export class ApiDocumentModule {}
