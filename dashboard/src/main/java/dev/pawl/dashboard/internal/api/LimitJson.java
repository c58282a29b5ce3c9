package dev.pawl.dashboard.internal.api;

import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Rate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of limits, with the command line's names. */
final class LimitJson {
    private LimitJson() {}

    static Map<String, @Nullable Object> of(LimitInfo info) {
        Rate rate = info.limit().rate();
        Pause pause = info.pause();
        return Json.object(
                "subject", info.limit().subject().of().word(),
                "name", info.limit().subject().name(),
                "atOnce", info.limit().atOnce(),
                "together", info.limit().together(),
                "maxWaiting", info.limit().maxWaiting(),
                "starts", rate == null ? null : rate.starts(),
                "per", rate == null ? null : rate.per(),
                "shared", info.shared(),
                "workers", info.workers(),
                "waiting", info.waiting(),
                "nextStart", info.nextStart(),
                "pausedUntil", pause == null ? null : pause.until(),
                "unavailable", pause == null ? null : pause.times(),
                "reason", pause == null ? null : pause.reason());
    }
}
