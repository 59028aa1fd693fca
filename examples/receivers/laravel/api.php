<?php
// routes/api.php of an application after `php artisan install:api`. The address is then /api/webhooks.
// config/services.php: 'rinpath' => ['webhook_secret' => env('WEBHOOK_SECRET')]
// A migration:         Schema::create('webhook_events', fn ($table) => $table->string('id')->primary());

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\Route;

require_once __DIR__ . '/webhook_signature.php';

Route::post('/webhooks', function (Request $request) {
    // The signature is over the bytes as they came, not over $request->all().
    $rawBody = $request->getContent();
    $id = $request->header('webhook-id', '');
    $isGenuine = isGenuine(
        config('services.rinpath.webhook_secret'),
        $id,
        $request->header('webhook-timestamp', ''),
        $request->header('webhook-signature', ''),
        $rawBody,
    );
    if (!$isGenuine) {
        return response()->noContent(400);
    }
    // One transaction: if the event cannot be queued, its id is not kept, and the next attempt queues it.
    DB::transaction(function () use ($id, $rawBody) {
        if (DB::table('webhook_events')->insertOrIgnore(['id' => $id]) === 0) {
            return;
        }
        // On the queue: the response must come within five seconds.
        dispatch(function () use ($rawBody) {
            $event = json_decode($rawBody, true);
            // Ignore an event whose `sequence` is lower than the highest seen of its journey or lead.
            Log::info("handled {$event['event']} {$event['id']}");
        });
    });
    return response()->noContent(200);
});
