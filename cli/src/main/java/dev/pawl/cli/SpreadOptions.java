package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Lets many retried jobs start over a time instead of all at once. */
final class SpreadOptions {
    @Option(
            names = "--spread",
            paramLabel = "DURATION",
            description = "Let the jobs become available one after the other, over this time, the oldest first,"
                    + " 1s to 365d. Default: all at once.")
    private @Nullable String spread;

    @Option(
            names = "--rate",
            paramLabel = "JOBS",
            description = "The same, this many jobs in a second, 0.001 to 100000. Default: all at once.")
    private @Nullable Double rate;

    JobChange.Retry retry() {
        String over = spread;
        Double perSecond = rate;
        if (over != null && perSecond != null) {
            throw new UsageException("give --spread or --rate, not both");
        }
        if (over != null) {
            return JobChange.Retry.over(Texts.duration("--spread", over, "1s", "365d"));
        }
        if (perSecond == null) {
            return new JobChange.Retry();
        }
        if (!(perSecond >= 0.001 && perSecond <= 100_000)) {
            throw new UsageException("--rate " + perSecond + " is not valid: use 0.001 to 100000 jobs a second");
        }
        return JobChange.Retry.every(Duration.ofNanos(Math.round(1_000_000_000 / perSecond)));
    }

    static String words(JobChange.Retry retry) {
        return retry.isSpread() ? "become available one after the other" : "are available now";
    }
}
