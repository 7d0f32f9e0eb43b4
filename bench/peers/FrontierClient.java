import com.google.protobuf.Message;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.AnyCrawlID;
import crawlercommons.urlfrontier.Urlfrontier.BatchAck;
import crawlercommons.urlfrontier.Urlfrontier.DiscoveredBatch;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes hosts from a running url-frontier and gives them back, as Linkwatch's benches do with its
 * own. Arguments: port, hosts, batch, threads. Adds the hosts and prints "ready". Each line that it
 * reads is a number of seconds: it works for that long and prints the hosts per second.
 */
class FrontierClient {
    private static final int LOAD = 1000;
    private static final int LEASE = 60; // seconds

    /** Counts the acknowledgements that arrive on a stream. */
    private static final class Acks<T extends Message> implements StreamObserver<T> {
        final Semaphore arrived = new Semaphore(0);

        public void onNext(T ack) {
            if (ack instanceof AckMessage message && message.getStatus() != AckMessage.Status.OK) {
                throw new IllegalStateException("refused: " + ack);
            }
            arrived.release();
        }

        public void onError(Throwable error) {
            error.printStackTrace();
            System.exit(1);
        }

        public void onCompleted() {}
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int hosts = Integer.parseInt(arguments[1]);
        int batch = Integer.parseInt(arguments[2]);
        int threads = Integer.parseInt(arguments[3]);
        ManagedChannel channel =
                ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        load(channel, hosts);
        System.out.println("ready");
        var lines = new java.util.Scanner(System.in);
        while (lines.hasNextDouble()) {
            System.out.println(turn(channel, batch, threads, lines.nextDouble()));
        }
        channel.shutdown();
    }

    /** Runs the threads for this time; returns hosts per second. */
    private static double turn(ManagedChannel channel, int batch, int threads, double seconds)
            throws InterruptedException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        AtomicLong count = new AtomicLong();
        List<Thread> working = new ArrayList<>();
        for (int n = 0; n < threads; n++) {
            working.add(new Thread(() -> count.addAndGet(work(channel, batch, end))));
        }
        working.forEach(Thread::start);
        for (Thread thread : working) {
            thread.join();
        }
        return count.get() / ((System.nanoTime() - start) / 1e9);
    }

    /** Takes hosts and gives them back until `end`; returns their number. */
    private static long work(ManagedChannel channel, int batch, long end) {
        Acks<AckMessage> acks = new Acks<>();
        StreamObserver<URLItem> put = URLFrontierGrpc.newStub(channel).putURLs(acks);
        long count = 0;
        while (System.nanoTime() < end) {
            List<URLInfo> taken = take(channel, batch);
            giveBack(put, acks, taken);
            count += taken.size();
        }
        put.onCompleted();
        return count;
    }

    /** Adds hosts, each of which is a queue with one URL. */
    private static void load(ManagedChannel channel, int hosts) throws InterruptedException {
        Acks<BatchAck> acks = new Acks<>();
        StreamObserver<DiscoveredBatch> put = URLFrontierGrpc.newStub(channel).putDiscovered(acks);
        for (int first = 0; first < hosts; first += LOAD) {
            DiscoveredBatch.Builder some = DiscoveredBatch.newBuilder().setID("" + first);
            for (int n = first; n < Math.min(first + LOAD, hosts); n++) {
                String host = "host" + n + ".example";
                some.addItems(URLInfo.newBuilder().setUrl("http://" + host + "/").setKey(host));
            }
            put.onNext(some.build());
            acks.arrived.acquire();
        }
        put.onCompleted();
    }

    private static List<URLInfo> take(ManagedChannel channel, int batch) {
        GetParams some =
                GetParams.newBuilder()
                        .setMaxQueues(batch)
                        .setMaxUrlsPerQueue(1)
                        .setDelayRequestable(LEASE)
                        .setAnyCrawlID(AnyCrawlID.getDefaultInstance())
                        .build();
        List<URLInfo> taken = new ArrayList<>(batch);
        Iterator<URLInfo> urls = URLFrontierGrpc.newBlockingStub(channel).getURLs(some);
        urls.forEachRemaining(taken::add);
        return taken;
    }

    /** Makes these due again, and waits until that is acknowledged. */
    private static void giveBack(
            StreamObserver<URLItem> put, Acks<AckMessage> acks, List<URLInfo> taken) {
        long now = System.currentTimeMillis() / 1000;
        for (URLInfo url : taken) {
            KnownURLItem due =
                    KnownURLItem.newBuilder().setInfo(url).setRefetchableFromDate(now).build();
            put.onNext(URLItem.newBuilder().setKnown(due).setID(url.getKey()).build());
        }
        acks.arrived.acquireUninterruptibly(taken.size());
    }
}
