package dev.pawl.docs;

import dev.pawl.JobQueue;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** Queues for the programs in the documentation. */
final class DocsQueue {
    private DocsQueue() {}

    static DataSource file(Path folder) {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve("jobs.db"));
        return file;
    }

    static JobQueue in(Path folder) {
        return JobQueue.open(file(folder));
    }
}
