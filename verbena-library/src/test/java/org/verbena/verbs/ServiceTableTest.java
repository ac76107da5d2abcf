package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.exchange.OverSwitches;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;

/** The table of {@link QueuePair#post(WorkRequest.Sending)}: which service takes which request. */
@OverSwitches
final class ServiceTableTest {
    private static final SendOptions OPTIONS = SendOptions.SIGNALLED;
    private static final RemoteMemory REMOTE = new RemoteMemory(0, 1);

    private final Pair pair = new Pair();
    private final Node a = pair.a;
    private final AddressHandle handle = a.adapter.createAddressHandle(a.domain, pair.b.adapter.endpoint());

    @AfterEach
    void close() {
        pair.close();
    }

    /** Each request, with the services that take it. */
    private Map<WorkRequest.Sending, Set<Service>> table() {
        Set<Service> reliable = EnumSet.of(Service.RC);
        Set<Service> connected = EnumSet.of(Service.RC, Service.UC);
        Set<Service> datagram = EnumSet.of(Service.UD);
        LocalSegment eight = a.segment(0, 8);
        Payload data = Payload.of(eight);
        Window window = a.adapter.createWindow(a.domain, Window.Type.TYPE_1);
        var table = new LinkedHashMap<WorkRequest.Sending, Set<Service>>();
        table.put(new WorkRequest.Send(1, data, OPTIONS), connected);
        table.put(new WorkRequest.SendWithImmediate(2, data, 1, OPTIONS), connected);
        table.put(new WorkRequest.SendWithInvalidate(3, data, 1, OPTIONS), reliable);
        table.put(new WorkRequest.Write(4, data, REMOTE, OPTIONS), connected);
        table.put(new WorkRequest.WriteWithImmediate(5, data, REMOTE, 1, OPTIONS), connected);
        table.put(new WorkRequest.Read(6, List.of(eight), REMOTE, OPTIONS), reliable);
        table.put(new WorkRequest.FetchAdd(7, eight, REMOTE, 1, OPTIONS), reliable);
        table.put(new WorkRequest.CompareSwap(8, eight, REMOTE, 1, 1, OPTIONS), reliable);
        table.put(new WorkRequest.AtomicWrite(9, 1, REMOTE, OPTIONS), reliable);
        table.put(
                new WorkRequest.BindWindow(
                        10,
                        window,
                        MemoryKey.next(window.key()),
                        a.region,
                        a.region.address(),
                        8,
                        Set.of(Right.REMOTE_READ),
                        OPTIONS),
                connected);
        table.put(new WorkRequest.LocalInvalidate(11, 1, OPTIONS), connected);
        table.put(new WorkRequest.Register(12, 1, OPTIONS), connected);
        var memory = PreparedMemory.of(a.memory, Set.of(Right.REMOTE_READ));
        table.put(new WorkRequest.RegisterAndSend(17, 1, memory, data, OPTIONS), connected);
        table.put(new WorkRequest.SendDatagram(13, data, handle, 2, 3, OPTIONS), datagram);
        table.put(new WorkRequest.SendDatagramWithImmediate(14, data, handle, 2, 3, 4, OPTIONS), datagram);
        table.put(new WorkRequest.SendRaw(15, data, handle, OPTIONS), EnumSet.of(Service.RAW));
        return table;
    }

    private QueuePair ready(Service service) {
        QueuePair queuePair = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions)
                .withService(service)
                .withRegister(RegisterFailure.TERMINATE));
        switch (service) {
            case RC, UC -> queuePair.connect(pair.b.queuePair.address(), ConnectionOptions.DEFAULT);
            case UD -> queuePair.activate(DatagramOptions.of(7));
            case RAW -> queuePair.activateRaw(0x88b5);
        }
        return queuePair;
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void aServiceTakesItsRequestsAndRefusesTheOthers(Service service) {
        QueuePair queuePair = ready(service);
        Map<WorkRequest.Sending, Set<Service>> table = table();
        table.forEach((request, services) -> {
            if (services.contains(service)) {
                assertTrue(queuePair.post(request), request.toString());
            } else {
                assertThrows(IllegalArgumentException.class, () -> queuePair.post(request), request.toString());
            }
        });
        assertTrue(queuePair.post(new WorkRequest.Receive(16, a.segment(0, 64))), "every service takes receives");
    }

    @Test
    void theTableHasEveryRequest() {
        Class<?>[] kinds = Objects.requireNonNull(WorkRequest.Sending.class.getPermittedSubclasses());
        assertEquals(
                Set.of(kinds), table().keySet().stream().map(Object::getClass).collect(Collectors.toSet()));
    }
}
