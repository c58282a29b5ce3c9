package example

import dev.pawl.JobQueue
import dev.pawl.Worker
import dev.pawl.api.JobType
import dev.pawl.api.TypeToken
import java.nio.file.Files
import java.sql.Connection
import java.time.Duration
import javax.sql.DataSource
import org.sqlite.SQLiteDataSource

data class Item(val name: String, val pieces: Int = 1)

val PACK: JobType<List<Item>> = JobType.of("order.pack", object : TypeToken<List<Item>>() {})

fun <T> DataSource.transaction(work: (Connection) -> T): T = connection.use {
    it.autoCommit = false
    work(it).also { _ -> it.commit() } // closing without commit rolls back
}

fun Connection.update(sql: String) = createStatement().use { it.executeUpdate(sql) }

class Shop(private val dataSource: DataSource, private val queue: JobQueue) {
    /** The order and its job commit together, or neither does. */
    fun place(customer: String, items: List<Item>, paid: Boolean = true) = dataSource.transaction { connection ->
        connection.prepareStatement("INSERT INTO orders VALUES (?, 0)").use {
            it.setString(1, customer)
            it.executeUpdate()
        }
        queue.within(connection).enqueue(PACK, items)
        require(paid) { "$customer cannot pay" }
    }

    fun work(): Worker = Worker.on(queue)
        .handle(PACK) { items, run ->
            items.forEach { println("packing ${it.pieces} × ${it.name}") }
            run.transaction { it.update("UPDATE orders SET packed = packed + 1") } // commits with the job's completion
        }
        .start()
}

fun main() {
    val file = Files.createTempDirectory("pawl-example-").resolve("shop.db")
    val dataSource = SQLiteDataSource().apply { url = "jdbc:sqlite:$file?busy_timeout=30000&journal_mode=WAL" }
    dataSource.connection.use { it.update("CREATE TABLE orders (customer text, packed integer)") }
    JobQueue.open(dataSource).use { queue ->
        val shop = Shop(dataSource, queue)
        shop.place("Ada", listOf(Item("pawl"), Item("ratchet", 2)))
        check(runCatching { shop.place("Charles", listOf(Item("engine")), paid = false) }.isFailure)
        shop.work().use { worker -> // close() releases unstarted jobs and waits for handlers
            worker.awaitIdle(Duration.ofSeconds(30))
            check(worker.stats().completed() == 1L) { "not packed: ${worker.stats()}" }
        }
    }
    dataSource.connection.use {
        val packed = it.createStatement().executeQuery("SELECT SUM(packed), COUNT(*) FROM orders")
        check(packed.next() && packed.getInt(1) == 1 && packed.getInt(2) == 1) { "not one order packed once" }
    }
}
