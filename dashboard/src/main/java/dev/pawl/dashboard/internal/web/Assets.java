package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;

/** The few static files of the pages, from the jar: a fixed list, so that no path can escape it. */
final class Assets {
    private static final Map<String, String> TYPES = Map.of(
            "dashboard.css", "text/css;charset=utf-8",
            "dashboard.js", "text/javascript;charset=utf-8",
            "rows.js", "text/javascript;charset=utf-8",
            "charts.js", "text/javascript;charset=utf-8",
            "htmx.min.js", "text/javascript;charset=utf-8",
            "icon.svg", "image/svg+xml");

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Asset(String type, String tag, byte[] bytes) {}

    private final Map<String, Asset> assets = new HashMap<>();

    Assets() {
        TYPES.forEach((name, type) -> {
            byte[] bytes = read(name);
            CRC32 sum = new CRC32();
            sum.update(bytes);
            assets.put(name, new Asset(type, "\"" + Long.toHexString(sum.getValue()) + "\"", bytes));
        });
    }

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream("/dev/pawl/dashboard/assets/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Response answer(Request request, String name) {
        Asset asset = assets.get(name);
        if (asset == null) {
            throw new Refusal(404, "there is no file " + name);
        }
        List<Map.Entry<String, String>> headers = List.of(
                Map.entry("Content-Type", asset.type),
                Map.entry("ETag", asset.tag),
                Map.entry("Cache-Control", "no-cache")); // revalidated with 304
        boolean isKnown = asset.tag.equals(request.header("if-none-match"));
        return new Response(isKnown ? 304 : 200, headers, isKnown ? new byte[0] : asset.bytes);
    }
}
