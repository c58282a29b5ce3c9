package dev.pawl.lab.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the latest deadlock from the output of SHOW ENGINE INNODB STATUS, on MySQL and MariaDB. */
final class InnoDbStatus {
    private static final Pattern SECTION =
            Pattern.compile("LATEST DETECTED DEADLOCK\\s+-+\\s+(.*?)\\n-{5,}\\nTRANSACTIONS", Pattern.DOTALL);
    private static final Pattern TRANSACTION = Pattern.compile("\\*\\*\\* (?:\\((\\d)\\) )?TRANSACTION:");
    private static final Pattern THREAD =
            Pattern.compile("(?:MySQL|MariaDB) thread id (\\d+),.*?query id \\d+ (\\S+)(?: (\\S+))?(?: (\\S+))?");
    private static final Pattern TRX = Pattern.compile("TRANSACTION (\\d+), ACTIVE");
    private static final Pattern ACTIVE = Pattern.compile("ACTIVE (\\d+(?:\\.\\d+)?) sec");
    private static final Pattern STRUCTS = Pattern.compile("(\\d+) lock struct\\(s\\)");
    private static final Pattern UNDO = Pattern.compile("undo log entries (\\d+)");
    private static final Pattern LOCK = Pattern.compile(
            "RECORD LOCKS .*?index [`\"]?(\\S+?)[`\"]? of table (\\S+) trx id (\\d+) lock[_ ]mode (\\w+)([^\\n]*)");
    private static final Pattern VICTIM = Pattern.compile("WE ROLL BACK TRANSACTION \\((\\d)\\)");

    private InnoDbStatus() {}

    static Optional<DeadlockListing> latestDeadlock(String database, String system, String status) {
        Matcher section = SECTION.matcher(status.replace("\r", ""));
        if (!section.find()) {
            return Optional.empty();
        }
        String text = section.group(1);
        Matcher victim = VICTIM.matcher(text);
        String loser = victim.find() ? victim.group(1) : "";
        List<DeadlockListing.Transaction> transactions = new ArrayList<>();
        List<Integer> starts = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        Matcher each = TRANSACTION.matcher(text);
        while (each.find()) {
            starts.add(each.start());
            numbers.add(each.group(1) == null ? Integer.toString(numbers.size() + 1) : each.group(1));
        }
        Map<String, String> threads = new HashMap<>();
        for (int i = 0; i < starts.size(); i++) {
            String part = text.substring(starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : text.length());
            DeadlockListing.Transaction transaction =
                    transaction(part, numbers.get(i).equals(loser));
            transactions.add(transaction);
            threads.put(first(TRX, part, ""), transaction.id());
        }
        return Optional.of(new DeadlockListing(
                database,
                system,
                text.lines().findFirst().orElse("").strip(),
                List.copyOf(transactions),
                locks(text, threads)));
    }

    private static DeadlockListing.Transaction transaction(String part, boolean victim) {
        Matcher thread = THREAD.matcher(part);
        boolean found = thread.find();
        return new DeadlockListing.Transaction(
                found ? thread.group(1) : "?",
                found ? user(thread) : "?",
                found ? thread.group(2) : "?",
                victim,
                first(ACTIVE, part, "0"),
                Integer.parseInt(first(UNDO, part, "0")),
                Integer.parseInt(first(STRUCTS, part, "0")),
                query(part, found ? thread.end() : 0));
    }

    /** The query's id is followed by host, an optional address, user and activity. */
    private static String user(Matcher thread) {
        String second = thread.group(3) == null ? "" : thread.group(3);
        return second.matches("[0-9.:a-f]+") && thread.group(4) != null ? thread.group(4) : second;
    }

    private static String query(String part, int from) {
        int start = part.indexOf('\n', from);
        int end = part.indexOf("\n***", Math.max(start, 0));
        if (start < 0) {
            return "";
        }
        return part.substring(start, end < 0 ? part.length() : end).strip().replaceAll("\\s+", " ");
    }

    /** A lock may be listed under a transaction that is not its owner, so the owner is identified by the lock's trx id. */
    private static List<DeadlockListing.Lock> locks(String text, Map<String, String> threads) {
        Set<DeadlockListing.Lock> locks = new LinkedHashSet<>();
        Matcher lock = LOCK.matcher(text);
        while (lock.find()) {
            String rest = lock.group(5);
            locks.add(new DeadlockListing.Lock(
                    threads.getOrDefault(lock.group(3), "trx " + lock.group(3)),
                    rest.contains("waiting"),
                    lock.group(4),
                    lock.group(2).replace("`", "").replace("\"", ""),
                    lock.group(1),
                    rest.contains("rec but not gap") ? "rec but not gap" : rest.contains("gap before rec") ? "gap" : "",
                    rest.contains("insert intention")));
        }
        return List.copyOf(locks);
    }

    private static String first(Pattern pattern, String text, String otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }
}
