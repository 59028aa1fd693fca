<?php

/** Verifies `webhook-signature`. After a rotation it has a signature for the new and for the old secret. */
function isGenuine(string $secret, string $id, string $timestamp, string $signatures, string $rawBody): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || strlen($key) !== 32) {
        throw new InvalidArgumentException('The secret must be whsec_ and 44 characters');
    }
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}
