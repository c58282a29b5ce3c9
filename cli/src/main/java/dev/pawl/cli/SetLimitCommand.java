package dev.pawl.cli;

import dev.pawl.Limits;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "limit",
        mixinStandardHelpOptions = true,
        description = "Set a limit, in place of an existing one. Workers learn of it within seconds.")
final class SetLimitCommand extends OneLimit {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,7})/(.+)");

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "At most N jobs run at the same time, 1 to 1000000. Default: any number")
    private @Nullable Integer atOnce;

    @Option(
            names = "--rate",
            paramLabel = "N/DURATION",
            description = "At most N jobs start in any period of DURATION, such as 100/1m: 1 to 1000000, 1s to 31d."
                    + " Default: any number")
    private @Nullable String rate;

    @Option(
            names = "--together",
            paramLabel = "N",
            description = {
                "For keys: all keys of a queue share N concurrent jobs equally, so that one with many jobs delays no other. Two or",
                "three times what all workers run at once is a good value; 1 to 10000. Default: keys share nothing"
            })
    private @Nullable Integer together;

    @Option(
            names = "--max-waiting",
            paramLabel = "N",
            description = {
                "For a queue: enqueues are refused while N jobs wait, delayed ones included; 1 to 10000000. Programs learn of",
                "it within five seconds. Default: any number"
            })
    private @Nullable Integer maxWaiting;

    @Override
    public Integer call() {
        if (together != null && subject().of() != Subject.Of.KEYS) {
            throw new UsageException("--together is for the keys of a queue: pawl set limit keys QUEUE --together "
                    + together + "; at most so many of a " + subject().of().word() + " at once is --at-once");
        }
        if (maxWaiting != null && subject().of() != Subject.Of.QUEUE) {
            throw new UsageException(
                    "--max-waiting is for a queue: pawl set limit queue QUEUE --max-waiting " + maxWaiting);
        }
        Limit limit = Limit.of(subject())
                .atOnce(atOnce)
                .rate(rate == null ? null : rate(rate))
                .together(together)
                .maxWaiting(maxWaiting);
        if (!limit.says()) {
            throw new UsageException(
                    "a limit needs --at-once N, --rate N/DURATION, --max-waiting N for a queue, or --together N for keys");
        }
        try (DatabaseOptions.Session session = database().open(2)) {
            Limits limits = session.queue().limits();
            String before = limits.list().stream()
                    .map(LimitInfo::limit)
                    .filter(one -> one.subject().equals(subject()) && !one.equals(limit))
                    .map(SetLimitCommand::words)
                    .filter(words -> !words.isEmpty())
                    .map(words -> "; before: " + words)
                    .findFirst()
                    .orElse("");
            limits.set(limit);
            report(limit, subject() + ": " + words(limit) + before);
            return 0;
        }
    }

    private static String words(Limit limit) {
        List<String> words = new ArrayList<>();
        if (limit.atOnce() != null) {
            words.add("at most " + limit.atOnce() + " at once");
        }
        if (limit.together() != null) {
            words.add("its keys share " + limit.together());
        }
        if (limit.maxWaiting() != null) {
            words.add("at most " + limit.maxWaiting() + " waiting");
        }
        Rate rate = limit.rate();
        if (rate != null) {
            words.add("at most " + rate.starts() + " starts in " + Texts.length(rate.per()));
        }
        return String.join(", ", words);
    }

    private static Rate rate(String text) {
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException("--rate " + Texts.cut(text)
                    + " is not a rate: write the number of starts and a time, as in 100/1m");
        }
        return new Rate(Integer.parseInt(matcher.group(1)), Texts.duration("--rate", matcher.group(2), "1s", "31d"));
    }
}
