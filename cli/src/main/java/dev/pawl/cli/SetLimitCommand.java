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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "limit",
        mixinStandardHelpOptions = true,
        description = {
            "Set a limit, or change one: what is not given stays as it is, and 'none' removes a part. Workers learn of it within",
            "seconds."
        })
final class SetLimitCommand extends OneLimit {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,7})/(.+)");

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "At most N jobs run at the same time, 1 to 1000000, or none. Default: as it is")
    private @Nullable String atOnce;

    @Option(
            names = "--rate",
            paramLabel = "N/DURATION",
            description = "At most N jobs start in any period of DURATION, such as 100/1m: 1 to 1000000, 1s to 31d,"
                    + " or none. Default: as it is")
    private @Nullable String rate;

    @Option(
            names = "--together",
            paramLabel = "N",
            description = {
                "For keys: all keys of a queue share N concurrent jobs equally, so that one with many jobs delays no other. Two or",
                "three times what all workers run at once is a good value; 1 to 10000, or none. Default: as it is"
            })
    private @Nullable String together;

    @Option(
            names = "--max-waiting",
            paramLabel = "N",
            description = {
                "For a queue: enqueues are refused while N jobs wait, delayed ones included; 1 to 10000000, or none. Programs",
                "learn of it within five seconds. Default: as it is"
            })
    private @Nullable String maxWaiting;

    @Mixin
    private NameOptions names = new NameOptions();

    @Override
    public Integer call() {
        if (together != null && subject().of() != Subject.Of.KEYS) {
            throw new UsageException("--together is for the keys of a queue: pawl set limit keys QUEUE --together "
                    + together + "; for a " + subject().of().word() + " use --at-once");
        }
        if (maxWaiting != null && subject().of() != Subject.Of.QUEUE) {
            throw new UsageException(
                    "--max-waiting is for a queue: pawl set limit queue QUEUE --max-waiting " + maxWaiting);
        }
        if (atOnce == null && rate == null && together == null && maxWaiting == null) {
            throw new UsageException(
                    "a limit needs --at-once N, --rate N/DURATION, --max-waiting N for a queue, or --together N for keys");
        }
        Limit unused = changed(Limit.of(subject())); // reports mistakes before the database is opened
        try (DatabaseOptions.Session session = database().open(2)) {
            names.requireForSetting(this, session.queue(), subject());
            Limits limits = session.queue().limits();
            Limit before = limits.list().stream()
                    .map(LimitInfo::limit)
                    .filter(one -> one.subject().equals(subject()))
                    .findFirst()
                    .orElseGet(() -> Limit.of(subject()));
            Limit limit = changed(before);
            if (!limit.says()) {
                throw new UsageException("that would leave no limit: pawl remove limit "
                        + subject().of().word() + " " + subject().name());
            }
            limits.set(limit);
            report(
                    limit,
                    subject() + ": " + words(limit)
                            + (before.says() && !before.equals(limit) ? "; before: " + words(before) : ""));
            return 0;
        }
    }

    /** {@return the limit with the given parts} */
    private Limit changed(Limit limit) {
        Limit changed = limit;
        String starts = rate;
        if (atOnce != null) {
            changed = changed.atOnce(number("--at-once", atOnce));
        }
        if (starts != null) {
            changed = changed.rate(isNone(starts) ? null : rate(starts));
        }
        if (together != null) {
            changed = changed.together(number("--together", together));
        }
        if (maxWaiting != null) {
            changed = changed.maxWaiting(number("--max-waiting", maxWaiting));
        }
        return changed;
    }

    private static boolean isNone(String text) {
        return text.equals("none");
    }

    private static @Nullable Integer number(String option, String text) {
        if (isNone(text)) {
            return null;
        }
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new UsageException(option + " '" + Texts.cut(text) + "' is not valid: use a whole number, or none");
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
